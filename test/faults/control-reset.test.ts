import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMarkers } from '#gateway/control/control-journal.ts';
import { beginReset, finishReset } from '#gateway/system/factory-reset.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { openControlled } from './control-setup.ts';

test('a gateway that is reset while a device is unreachable releases it when it is back', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await openControlled(t, sungrowHybrid('S1'), { dataDir });
  await first.post('battery', { power_w: 1000, ttl_s: 600 });
  await until(() => first.battery()[0] === 'forced');
  first.inverter.device.faults.set('exception', { forMs: 600_000 });
  await first.control.close();
  await beginReset(dataDir);
  assert.equal(await finishReset(dataDir), true);

  const second = await openControlled(t, sungrowHybrid('S2'), { dataDir });
  await until(() => second.control.status()[0]?.fault !== undefined);
  assert.deepEqual([second.control.status()[0]?.sn, first.battery()[0]], ['S1', 'forced']);
  first.inverter.device.faults.clear();
  await until(() => first.battery()[0] === 'self-consumption');
  await until(() => second.control.status().length === 0);
  assert.equal(await createMarkers(join(dataDir, 'control')).find('S1'), undefined);
});
