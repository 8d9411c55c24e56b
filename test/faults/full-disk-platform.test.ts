import assert from 'node:assert/strict';
import { closeSync, cpSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { checkLedger, createLedger, isClean } from '#sim/fleet/ledger.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { enrolFleet, reportContinually } from './fleet.ts';
import { startPlatform } from './platform.ts';
import { cannotMount, createBallast, onSmallDisk } from './small-disk.ts';

/** A platform whose data folder is a small disk, mounted here as `disk`, and its log. */
async function startOnSmallDisk(t: { after(work: () => unknown): void }) {
  const [folder, logFile] = [temporaryFolder(t), join(temporaryFolder(t), 'log')];
  const [execPath, execArgv] = onSmallDisk(folder, 16, `"${process.execPath}" "$0"`);
  const log = openSync(logFile, 'a');
  const platform = await startPlatform(
    { DATA_DIR: folder, CLOUD_PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'info', PATH: process.env.PATH! },
    { execPath, execArgv, stdio: ['ignore', log, 'inherit', 'ipc'] },
  );
  closeSync(log);
  t.after(() => platform.kill());
  const said = (words: string): number => readFileSync(logFile, 'utf8').split(`"${words}"`).length - 1;
  return { ...platform, disk: `/proc/${platform.pid}/root${folder}`, said };
}

test('a platform with a full disk acknowledges nothing it cannot store, answers requests, and recovers when there is space', {
  skip: cannotMount(),
}, async (t) => {
  const { pid, url, mqttUrl, disk, said } = await startOnSmallDisk(t);
  const fleet = await enrolFleet(url, 2);
  const api = createClient({ baseUrl: url, token: fleet.token });
  const ledger = createLedger();
  const stop = reportContinually(() => mqttUrl!, fleet, ledger);
  t.after(stop);
  const faults = (): number => said('failed to store readings, their gateways keep them');
  const refused = (): number => [...ledger.intended().values()].flat().length - ledger.acknowledged();
  const isMade = (): Promise<boolean> =>
    api.call(createOrganization, { body: { name: 'One more' } }).then(
      () => true,
      (error) => {
        assert.ok(error instanceof Problem && error.code === 'unavailable', error);
        return false;
      },
    );
  await until(ledger.acknowledged, (count) => count > 200);

  const ballast = createBallast(disk);
  await ballast.fill();
  await until(refused, (count) => count > 200);
  await until(async () => !(await isMade())); // one or two may still fit
  assert.ok(faults() > 0, 'it is reported');
  const { latest } = await api.call(getDer, { params: { der_id: fleet.gateways[0]!.der } });
  assert.ok(latest);
  const whileFull = await checkLedger(api, ledger);
  assert.ok(isClean(whileFull), JSON.stringify(whileFull));

  await ballast.empty();
  const before = ledger.acknowledged();
  await until(ledger.acknowledged, (count) => count > before + 200);
  await until(isMade);
  await until(() => said('readings are stored again') === faults());
  await stop();
  const verdict = await checkLedger(api, ledger);
  console.log({ refused: refused(), whileFull, verdict });
  assert.ok(isClean(verdict));

  process.kill(pid, 'SIGSTOP'); // so that the copy is consistent
  const copy = temporaryFolder(t);
  cpSync(disk, copy, { recursive: true });
  for (const name of ['cloud.db', 'telemetry.db']) {
    using database = new DatabaseSync(join(copy, name));
    assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
  }
});
