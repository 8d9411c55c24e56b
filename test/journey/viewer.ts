import { createInterface } from 'node:readline';
import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import { spawnCli } from '../../cli/testing/child-process.ts';
import { endWithUs } from '../end-process.ts';
import { until } from '../until.ts';

export type Viewer = {
  readings: readonly SiteReading[];
  /** Number of events of each kind. */
  count(type: SiteEvent['type']): number;
  /** The first matching reading from now on. */
  next(isSo: (reading: SiteReading) => boolean, patienceMs: number): Promise<SiteReading>;
  /** Ctrl-C. */
  stop(): Promise<number | null>;
};

/** `ohmstead watch --json` in the background. */
export function openViewer(env: Record<string, string>): Viewer {
  const { child, outcome } = spawnCli(['watch', '--json'], env);
  endWithUs(child);
  const readings: SiteReading[] = [];
  const counts = new Map<string, number>();
  createInterface(child.stdout!).on('line', (line) => {
    const event = JSON.parse(line) as SiteEvent;
    counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
    if (event.type === 'reading') readings.push(event.reading);
  });
  return {
    readings,
    count: (type) => counts.get(type) ?? 0,
    async next(isSo, patienceMs) {
      const seen = readings.length;
      return (await until(() => readings.slice(seen).find(isSo), Boolean, patienceMs))!;
    },
    async stop() {
      child.kill('SIGINT');
      return (await outcome).code;
    },
  };
}
