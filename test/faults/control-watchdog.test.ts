import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createMarkers } from '#gateway/control/control-journal.ts';
import type { Marker } from '#gateway/control/watchdog-messages.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startInverter } from './control-inverter.ts';

const program = fileURLToPath(new URL('../../gateway/control/watchdog-process.ts', import.meta.url));

test('an orphaned watchdog leaves the marker of a gateway that has taken control meanwhile', async (t) => {
  const inverter = await startInverter(sungrowHybrid('S1'));
  t.after(() => inverter.close());
  const folder = temporaryFolder(t);
  const markers = createMarkers(folder);
  const former: Marker = {
    id: 'former',
    sn: 'S1',
    profile: 'sungrow',
    place: inverter.place,
    parts: ['battery'],
    facts: {},
    since: 0,
    until: 0,
  };
  await markers.write(former);
  const beside = join(folder, 'beside');
  mkdirSync(beside);
  await createMarkers(beside).write({ ...former, id: 'later' });
  const { write } = inverter.device;
  inverter.device.write = (address, words) => {
    for (const name of readdirSync(beside)) renameSync(join(beside, name), join(folder, name));
    write(address, words);
  };

  const watchdog = fork(program, [folder], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(watchdog, 'message');
  watchdog.send({ kind: 'hold', marker: former, ends: {} });
  watchdog.disconnect();
  await once(watchdog, 'exit');
  assert.deepEqual([readdirSync(beside), (await markers.find('S1'))?.id], [[], 'later']);
});
