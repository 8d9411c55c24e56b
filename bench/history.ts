import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recentReadings } from './cells/recent-readings.ts';
import { signIn, startCloudServer } from './cloud-server.ts';
import { derNumbers, openFolderTelemetry } from './fleet/data-folder.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { askOverHttp } from './history/ask.ts';
import { askLatest, askLatestOverHttp } from './history/latest.ts';
import { askStore } from './history/store.ts';
import { dersOf, fillWorld, sites } from './history/world.ts';
import type { Finding } from './measure/finding.ts';
import { startTimeSeriesPeers } from './peers/start-peers.ts';

/** Queries ten million readings, in the process and over HTTP, and other databases with the same readings. */
export async function history(): Promise<Finding[]> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-')));
  const dataDir = join(folder.path, 'ohmstead');
  const { owner } = await enrolFleet(dataDir, { sites, places: 1 });
  const numbers = await derNumbers(dataDir);
  const ders = dersOf(numbers);
  const peers = await startTimeSeriesPeers(folder.path, open);

  const telemetry = await openFolderTelemetry(dataDir);
  const findings = await fillWorld({ telemetry, peers }, ders);
  findings.push(...(await askStore(telemetry, numbers)));
  findings.push(...(await askLatest({ telemetry, dataDir, ders, peers })));
  await telemetry.close();

  await recentReadings(dataDir); // the public numbers leave out old readings
  const server = open.use(await startCloudServer(dataDir));
  const headers = { authorization: `Bearer ${await signIn(server.url, owner)}` };
  const asked = { server, headers, ders: numbers, peers };
  return [...findings, ...(await askOverHttp(asked)), ...(await askLatestOverHttp(asked))];
}
