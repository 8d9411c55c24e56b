import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWatchdog } from '#gateway/control/watchdog.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { startControlled } from '../test/faults/control-setup.ts';
import { type Finding, measured } from './measure/finding.ts';

const inverters = 6;
const commandsEach = 40;
const paceMs = 1100; // a device accepts one command per second
const powerRegister = 13_051; // the last of three writes, with 50 ms in between

/** Measures the time from a command to the power in the register of a simulated inverter. */
export async function control(): Promise<Finding[]> {
  await using cache = await mkdtempDisposable(join(tmpdir(), 'ohmstead-cache-'));
  const first: number[] = [];
  const later: number[] = [];
  await Promise.all(Array.from({ length: inverters }, (_, index) => commandOne(index, cache.path, first, later)));
  return [
    measured('first command, with the start of a watchdog', 'ms', first),
    measured('command to register', 'ms', later),
    {
      ...measured('command to register, p99', 'ms', [p99(later)], { of: 'value', atMost: 200 }),
      rounds: later.length,
    },
  ];
}

async function commandOne(index: number, cacheFolder: string, first: number[], later: number[]): Promise<void> {
  const house = await startControlled(sungrowHybrid(`BENCH${index}`), {
    harvestMs: 1000,
    openWatchdog: (deps) => createWatchdog({ ...deps, cacheFolder }),
  });
  const { inverter, command } = house;
  const { write } = inverter.device;
  let written: (at: number) => void = () => {};
  inverter.device.write = (address, words) => {
    write(address, words);
    if (address === powerRegister && words[0] !== 0) written(performance.now());
  };
  try {
    for (let count = 0; count <= commandsEach; count++) {
      await sleep(paceMs + Math.random() * 100);
      const arrived = performance.now();
      const done = new Promise<number>((resolve) => (written = resolve));
      command('battery', { power_w: 1000 + count, command_id: `${index}-${count}`, ttl_s: 60 });
      (count === 0 ? first : later).push((await done) - arrived);
    }
  } finally {
    await house.close();
  }
}

const p99 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1]!;
