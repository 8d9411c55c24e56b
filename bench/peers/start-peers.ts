import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startInfluxDb } from './influxdb.ts';
import { findInstalled } from './installed.ts';
import type { TimeSeriesPeer } from './time-series-peer.ts';
import { startVictoriaMetrics } from './victoria-metrics.ts';

const peers = [
  { program: 'victoria-metrics', debianPackage: 'victoria-metrics', start: startVictoriaMetrics },
  { program: 'influxd', debianPackage: 'influxdb', start: startInfluxDb },
];

/** Starts the installed peers, each in its own folder below this one. */
export async function startTimeSeriesPeers(folder: string, open: AsyncDisposableStack): Promise<TimeSeriesPeer[]> {
  const started: TimeSeriesPeer[] = [];
  for (const { program, debianPackage, start } of peers) {
    const file = findInstalled(program, debianPackage);
    if (!file) continue;
    const own = join(folder, program);
    await mkdir(own, { recursive: true });
    started.push(open.use(await start(file, own)));
  }
  return started;
}
