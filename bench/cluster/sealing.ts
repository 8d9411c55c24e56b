import { availableParallelism } from 'node:os';
import { openTelemetry } from '#cloud/store/telemetry/open.ts';
import type { TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { createMeter, type Meter } from '#sim/fleet/gateway.ts';
import type { Postgres } from '#test/services/postgres.ts';
import { type Child, startChild } from '../measure/child.ts';
import { freshDatabase } from './fresh-database.ts';
import { cpuUsOf, runOn } from './process-cpu.ts';
import type { Sealed } from './sealer.ts';

/** Readings sealed per second, the CPU of one reading, µs, and the share of the time in which the processors worked. */
export type SealingRound = { perSecond: number; sealerUs: number; postgresUs: number; inUse: number };

const ders = 384;
const everyMs = 5000;
const together = 5000;

const retention = { rawMs: 365 * 24 * hourMs, minutesMs: 365 * 24 * hourMs, hoursMs: 365 * 24 * hourMs };

/**
 * Seals an hour of many meters in one process on one processor, then the next hour in two processes on two processors, and so
 * on: twice the machine. PostgreSQL shares the processors, since one sealer and PostgreSQL alone would use most of two. All
 * hours are of one day that is not over: otherwise some rounds would seal the day, too. The first hours warm up the compiler
 * of each process.
 */
export async function measureSealing(
  postgres: Postgres,
  rounds: number,
): Promise<Record<'one' | 'two', SealingRound[]>> {
  await using open = new AsyncDisposableStack();
  const databaseUrl = await freshDatabase(postgres, 'sealing');
  const log = createLog({ level: 'warn', name: 'bench' });
  const telemetry = await openTelemetry({ dataDir: '', databaseUrl, retention, log });
  open.defer(() => telemetry.close());
  const start = (): Child => open.use(startChild(import.meta.resolve('./sealer.ts'), { args: [databaseUrl] }));
  const sealers = [start(), start()];
  const found: Record<'one' | 'two', SealingRound[]> = { one: [], two: [] };
  let hour = Math.floor(Date.now() / dayMs - 2) * dayMs;
  const parts = [`port=${new URL(postgres.url()).port}`, 'cluster/sealer.ts'];
  open.defer(() => runOn(`0-${availableParallelism() - 1}`, `port=${new URL(postgres.url()).port}`));
  const sealNext = async (which: readonly Child[], seed: number): Promise<SealingRound> => {
    await fill(telemetry, hour, createMeter(seed));
    for (const part of parts) runOn(which.length === 1 ? '0' : '0,1', part);
    const round = await seal(postgres, which, hour + 2 * hourMs);
    hour += hourMs;
    return round;
  };
  for (const sealer of [...sealers, ...sealers]) await sealNext([sealer], 0);
  for (let round = 0; round < rounds; round++) {
    const alone = sealers.slice(round % 2).slice(0, 1); // each in turn: both compilers learn as much
    for (const count of round % 2 ? [2, 1] : [1, 2])
      found[count === 1 ? 'one' : 'two'].push(await sealNext(count === 1 ? alone : sealers, round));
  }
  return found;
}

async function fill(telemetry: TelemetryStore, hour: number, meter: Meter): Promise<void> {
  for (let at = hour, samples = []; at < hour + hourMs; at += everyMs) {
    for (let der = 1; der <= ders; der++) samples.push({ der, at, received: at * 1000 + der, body: meter.read(at) });
    if (samples.length < together && at + everyMs < hour + hourMs) continue;
    await telemetry.append(samples);
    samples = [];
  }
}

async function seal(postgres: Postgres, sealers: readonly Child[], now: number): Promise<SealingRound> {
  const postgresCpu = (): number => cpuUsOf(`port=${new URL(postgres.url()).port}`);
  const before = postgresCpu();
  const began = performance.now();
  const reports = await Promise.all(sealers.map((sealer) => sealer.ask<Sealed>({ now })));
  const seconds = (performance.now() - began) / 1000;
  const readings = reports.reduce((sum, report) => sum + report.readings, 0);
  const expected = (ders * hourMs) / everyMs;
  if (readings !== expected) throw new Error(`${readings} of ${expected} readings were sealed.`);
  const cpuUs = reports.reduce((sum, report) => sum + report.cpuUs, 0);
  const postgresUs = postgresCpu() - before;
  return {
    perSecond: readings / seconds,
    sealerUs: cpuUs / readings,
    postgresUs: postgresUs / readings,
    inUse: (cpuUs + postgresUs) / (seconds * 1e6 * sealers.length),
  };
}
