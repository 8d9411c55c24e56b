import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { signIn, startCloudServer } from './cloud-server.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { derNumbers, openFolderTelemetry } from './fleet/stored.ts';
import { fillStretch } from './history/fill.ts';
import { sealedDayBytes } from './history/sizes.ts';
import { timesOf } from './history/time.ts';
import { type Finding, type Goal, measured } from './measure/finding.ts';
import { load } from './measure/load.ts';
import { idOf } from './registry/fill.ts';

const sites = 41; // the last one's first DER is heard all year, its second with jitter
const fleetSize = 200;
const fleetHours = 6; // more would take minutes to seal, and an answer looks at one DER
const longKept = 3;
const runs = 50;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const stepMs = 5000;
// Half past twelve: half a day in hours, half an hour as it came.
const now = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2 + hourMs / 2;
const midnight = Math.floor(now / dayMs) * dayMs;

const under = (atMost: number): Goal => ({ of: 'value', atMost });

type Question = { what: string; der: number; from: number; widthMs: number; resolution: string; goal: Goal };

// Of the DERs by their place: the first are kept long, the one after the fleet all year.
const questions: Question[] = [
  { what: '24 h in 5 minutes', der: 0, from: now - dayMs, widthMs: 5 * minuteMs, resolution: '5m', goal: under(3) },
  { what: '30 days by the hour', der: 0, from: now - 30 * dayMs, widthMs: hourMs, resolution: '1h', goal: under(5) },
  {
    what: 'a year by the hour',
    der: fleetSize,
    from: now - 365 * dayMs,
    widthMs: hourMs,
    resolution: '1h',
    goal: under(30),
  },
];

const chosen = [
  { named: 'all fields', fields: undefined },
  { named: 'W alone', fields: ['W'] },
];

/** Questions to a store with a few million readings, asked within the process and over HTTP. */
export async function history(): Promise<Finding[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-'));
  const { owner } = await enrolFleet(folder.path, { sites });
  const ders = await derNumbers(folder.path);
  const telemetry = await openFolderTelemetry(folder.path);
  const findings = await fill(telemetry, folder.path, ders);
  for (const { what, der, from, widthMs, goal } of questions) {
    const first = Math.floor(from / widthMs) * widthMs;
    const edges = Array.from({ length: Math.ceil((now - first) / widthMs) + 1 }, (_, i) => first + i * widthMs);
    for (const { named, fields } of chosen) {
      const times = await timesOf(runs, () => telemetry.buckets(ders[der]!, edges, fields));
      findings.push(measured(`${what}, ${named}, store`, 'ms', times, goal));
    }
  }
  const latestTimes = await timesOf(runs, (run) => telemetry.latest(ders.slice(run, run + 50)));
  findings.push(measured('latest of 50 DERs, store', 'ms', latestTimes));
  await telemetry.close();

  await using server = await startCloudServer(folder.path);
  const headers = { authorization: `Bearer ${await signIn(server.url, owner)}` };
  for (const { what, der, from, resolution } of questions) {
    for (const { named, fields } of chosen) {
      const query = `from=${from}&to=${now}&resolution=${resolution}${fields ? `&fields=${fields.join()}` : ''}`;
      const path = `/ders/${idOf('der', der)}/telemetry?${query}`;
      const { waitMs } = await load(server, [{ method: 'GET', path, headers }], { amount: runs, connections: 1 });
      findings.push({ ...measured(`${what}, ${named}, HTTP`, 'ms', [waitMs]), rounds: runs });
    }
  }
  return findings;
}

async function fill(telemetry: TelemetryStore, dataDir: string, ders: readonly number[]): Promise<Finding[]> {
  const began = performance.now();
  const fleetFrom = now - fleetHours * hourMs;
  const month = { ders: ders.slice(0, longKept), from: now - 30 * dayMs, to: fleetFrom, stepMs };
  const jittery = ders[fleetSize + 1]!;
  let readings = await fillStretch(telemetry, {
    ders: [ders[fleetSize]!],
    from: now - 365 * dayMs,
    to: now,
    stepMs: 5 * minuteMs,
  });
  readings += await fillStretch(telemetry, {
    ders: [jittery],
    from: midnight - dayMs,
    to: midnight,
    stepMs,
    jitterMs: 40,
  });
  readings += await fillStretch(telemetry, month);
  readings += await fillStretch(telemetry, { ders: ders.slice(0, fleetSize), from: fleetFrom, to: now, stepMs });
  const seconds = (performance.now() - began) / 1000;

  const perDay = dayMs / stepMs;
  const exact = sealedDayBytes(dataDir, ders[0]!, midnight - dayMs);
  const jitter = sealedDayBytes(dataDir, jittery, midnight - dayMs);
  return [
    measured(`fill and seal ${(readings / 1e6).toFixed(1)} million readings`, 's', [seconds]),
    measured('a sealed reading, whole seconds', 'bytes', [exact.readings / perDay], under(10)),
    measured('a sealed reading, whole seconds, with its minutes', 'bytes', [exact.withMinutes / perDay]),
    measured('a sealed reading, 0 to 40 ms of jitter', 'bytes', [jitter.readings / perDay], under(10)),
  ];
}
