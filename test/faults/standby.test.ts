import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCloud } from '#cloud/main.ts';
import { createClient } from '#contract/client.ts';
import { createCommand, listCommands } from '#contract/cloud/commands.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { listGateways } from '#contract/cloud/gateways.ts';
import { listSites } from '#contract/cloud/sites.ts';
import { checkLedger, createLedger, isClean } from '#sim/fleet/ledger.ts';
import { postgresMissing } from '../services/postgres.ts';
import { startPostgresPair } from '../services/postgres-pair.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { testEnvironment } from '../test-environment.ts';
import { until } from '../until.ts';
import { enrolFleet, reportContinually } from './fleet.ts';

const enough = 100;

test('a platform whose database primary is killed continues with the promoted standby and everything it acknowledged', {
  skip: postgresMissing(),
}, async (t) => {
  const pair = await startPostgresPair();
  t.after(() => pair.stop());
  const platform = await startCloud(
    {
      ...testEnvironment,
      DATA_DIR: temporaryFolder(t),
      DATABASE_URL: pair.url,
      CLOUD_PORT: '0',
      MQTT_PORT: '0',
      LOG_LEVEL: 'silent',
    },
    { version: 'test' },
  );
  t.after(() => platform.close());
  const fleet = await enrolFleet(platform.url, 3);
  const api = createClient({ baseUrl: platform.url, token: fleet.token });
  const [first] = fleet.gateways;
  const sites = await api.call(listSites);
  const { ders } = await api.call(provisionDevice, {
    body: {
      gateway_serial: first!.signer.serial,
      site_id: sites[0]!.id,
      hardware_id: 'B1',
      device_type: 'battery',
      ders: [{ name: 'battery', type: 'battery' }],
    },
  });
  const params = { der_id: ders[0]!.id };
  const ledger = createLedger();
  const stop = reportContinually(() => platform.mqttUrl!, fleet, ledger);
  t.after(stop);
  await until(() => ledger.acknowledged() > enough);
  const { id } = await api.call(createCommand, { params, body: { power_w: 1000 } });

  await pair.primary().kill();
  const answer = await until(
    () => fetch(`${platform.url}/sites`, { headers: { authorization: `Bearer ${fleet.token}` } }),
    ({ status }) => status !== 200,
  );
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '2');
  const before = ledger.acknowledged();
  await pair.standby().promote();
  const promotedAt = performance.now();
  await until(() => ledger.acknowledged() > before + enough);
  const tookMs = performance.now() - promotedAt;
  assert.ok(tookMs < 10_000, `readings are acknowledged again ${tookMs} ms after the promotion`);
  await stop();

  const verdict = await checkLedger(api, ledger);
  console.log(`acknowledged again after ${Math.round(tookMs)} ms`, verdict);
  assert.ok(isClean(verdict));
  assert.deepEqual(await api.call(listSites), sites);
  assert.equal((await api.call(listGateways)).length, fleet.gateways.length);
  assert.deepEqual(
    (await api.call(listCommands, { params })).map((command) => command.id),
    [id],
  );
});
