import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { addDevice, listDevices } from '#contract/gateway/devices.ts';
import { harvests } from './gateway-harvest.ts';
import { startChild } from './measure/child.ts';
import { type Finding, type Goal, measured } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';
import { type Program, type RunningProgram, spawnProgram } from './start/program.ts';

const inverters = 32;
const starts = 7;
const windows = 7;
const windowMs = 4000;
const settleMs = 10_000;

const quick: Goal = { of: 'value', atMost: 1000 };
const quarter: Goal = { of: 'value', atMost: 25 };
const small: Goal = { of: 'value', atMost: 110 };

/** Measures a gateway that reads many inverters every second, and the cost of one reading. */
export async function gateway(): Promise<Finding[]> {
  await using street = startChild(import.meta.resolve('./gateway-street.ts'), { args: [String(inverters)] });
  const ports = await street.answer<number[]>();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const program: Program = {
    args: ['cli/main.js', 'gateway'],
    env: { GATEWAY_PORT: '0', GATEWAY_HOST: '127.0.0.1', GATEWAY_DATA_DIR: folder.path, MDNS: 'off' },
  };
  const harvest = await harvests(ports[0]!);
  await untilAnswer(program); // with a new folder, and before its code is compiled
  const { again } = await inTurns(starts, { again: () => untilAnswer(program) });
  const pick = (name: keyof Start): number[] => again.map((start) => start[name]);
  return [
    ...harvest,
    measured('first 200 on /health, wait', 'ms', pick('waitMs'), quick),
    measured('first 200 on /health, CPU', 'ms', pick('cpuMs')),
    ...(await polling(program, ports)),
  ];
}

type Start = { waitMs: number; cpuMs: number };

async function untilAnswer(program: Program): Promise<Start> {
  const began = performance.now();
  await using running = spawnProgram(program);
  await running.answers();
  return { waitMs: performance.now() - began, cpuMs: running.cpuMs() };
}

async function polling(program: Program, ports: readonly number[]): Promise<Finding[]> {
  await using running = spawnProgram(program);
  await running.answers();
  await sleep(settleMs);
  const idle = { share: await busyShare(running), memoryMb: running.memoryMb() };
  await addInverters(running, ports);
  await sleep(settleMs);
  const shares: number[] = [];
  const memory: number[] = [];
  for (let window = 0; window < windows; window++) {
    shares.push(await busyShare(running));
    memory.push(running.memoryMb());
  }
  const what = `${ports.length} inverters every second`;
  return [
    measured('idle, of a core', '%', [idle.share]),
    measured('idle, memory', 'MB', [idle.memoryMb], small),
    measured(`${what}, of a core`, '%', shares, quarter),
    measured(`${what}, memory`, 'MB', memory, small),
  ];
}

async function addInverters(running: RunningProgram, ports: readonly number[]): Promise<void> {
  const api = createClient({ baseUrl: await running.says(/http:\/\/[\w.]+:\d+/) });
  for (const port of ports) {
    await api.call(addDevice, { body: { type: 'modbus_tcp', profile: 'sungrow', ip: '127.0.0.1', port, unit_id: 1 } });
  }
  const { devices } = await api.call(listDevices, {});
  const lost = devices.filter(({ connected }) => !connected);
  if (devices.length !== ports.length || lost.length > 0)
    throw new Error(`${devices.length} devices, ${lost.length} lost`);
}

async function busyShare(running: RunningProgram): Promise<number> {
  const before = { at: performance.now(), cpuMs: running.cpuMs() };
  await sleep(windowMs);
  return ((running.cpuMs() - before.cpuMs) / (performance.now() - before.at)) * 100;
}
