import type { TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { type Finding, measured } from '../measure/finding.ts';
import { chosen, questions } from './questions.ts';
import { timesOf } from './time.ts';

const runs = 50;

/** Queries the store itself, in the process. */
export async function askStore(telemetry: TelemetryStore, ders: readonly number[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { what, places, from, to, widthMs, goal } of questions) {
    const first = Math.floor(from / widthMs) * widthMs;
    const edges = Array.from({ length: Math.ceil((to - first) / widthMs) + 1 }, (_, i) => first + i * widthMs);
    for (const { named, field } of chosen) {
      const times = await timesOf(runs, (run) =>
        telemetry.buckets(ders[places[run % places.length]!]!, edges, field && [field]),
      );
      findings.push(measured(`${what}, ${named}, store`, 'ms', times, goal));
    }
  }
  return findings;
}
