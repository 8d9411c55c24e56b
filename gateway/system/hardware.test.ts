import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { cpuFreqMHz, temperatureC } from './hardware.ts';
import { freeMemoryKb, watchMemory } from './memory.ts';

suite('the hardware', () => {
  async function zonesOf(t: TestContext, zones: Record<string, { type: string; temp?: string }>): Promise<string> {
    const folder = temporaryFolder(t);
    for (const [name, { type, temp }] of Object.entries(zones)) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'type'), `${type}\n`);
      if (temp !== undefined) await writeFile(join(folder, name, 'temp'), `${temp}\n`);
    }
    return folder;
  }

  for (const { says, zones, celsius } of [
    { says: 'a Raspberry Pi', zones: { thermal_zone0: { type: 'cpu-thermal', temp: '48312' } }, celsius: 48.312 },
    {
      says: 'a PC',
      zones: {
        thermal_zone0: { type: 'acpitz', temp: '27800' },
        thermal_zone1: { type: 'x86_pkg_temp', temp: '51000' },
      },
      celsius: 51,
    },
    { says: 'frost', zones: { thermal_zone0: { type: 'soc-thermal', temp: '-4500' } }, celsius: -4.5 },
    {
      says: 'a sensor that is off',
      zones: { thermal_zone0: { type: 'cpu0' }, thermal_zone1: { type: 'cpu1', temp: '40000' } },
      celsius: 40,
    },
    { says: 'a radio alone', zones: { thermal_zone0: { type: 'iwlwifi_1', temp: '44000' } }, celsius: undefined },
    { says: 'nothing', zones: {}, celsius: undefined },
  ] as { says: string; zones: Parameters<typeof zonesOf>[1]; celsius: number | undefined }[]) {
    test(`of ${says} has ${celsius} °C`, async (t) => {
      assert.equal(await temperatureC(await zonesOf(t, zones)), celsius);
    });
  }

  test('without thermal zones has no temperature', async () => {
    assert.equal(await temperatureC('/nowhere/to/be/found'), undefined);
  });

  for (const { says, files, own, MHz } of [
    {
      says: 'of a Raspberry Pi',
      files: { scaling_cur_freq: '1500000', cpuinfo_max_freq: '1800000' },
      own: 0,
      MHz: 1500,
    },
    { says: 'of a kernel that reports only the highest', files: { cpuinfo_max_freq: '1200000' }, own: 0, MHz: 1200 },
    { says: 'of a PC without frequency scaling', files: {}, own: 2593, MHz: 2593 },
    { says: 'of a governor that reports nothing', files: { scaling_cur_freq: '<unknown>' }, own: 2000, MHz: 2000 },
    { says: 'of a machine that does not report it', files: {}, own: 0, MHz: undefined },
  ] as { says: string; files: Record<string, string>; own: number; MHz: number | undefined }[]) {
    test(`the clock rate ${says} is ${MHz} MHz`, async (t) => {
      const folder = temporaryFolder(t);
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), `${text}\n`);
      assert.equal(await cpuFreqMHz(folder, own), MHz);
    });
  }

  test('records the minimum of free memory', (t) => {
    const now = t.mock.method(process, 'availableMemory', () => 900 * 1024);
    t.mock.timers.enable({ apis: ['setInterval'] });
    const memory = watchMemory();
    t.after(() => memory.close());
    now.mock.mockImplementation(() => 50 * 1024);
    t.mock.timers.tick(10_000);
    now.mock.mockImplementation(() => 800 * 1024);
    assert.equal(freeMemoryKb(), 800);
    const { free, min } = memory.read();
    assert.deepEqual({ free, min }, { free: 800, min: 50 });
  });
});
