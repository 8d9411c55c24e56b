import { dayMs, hourMs } from '#contract/time.ts';
import { signIn, startCloudServer } from '../cloud-server.ts';
import { derNumbers, openFolderTelemetry } from '../fleet/data-folder.ts';
import { enrolFleet } from '../fleet/enrol.ts';
import type { Finding } from '../measure/finding.ts';
import { idOf } from '../registry/fill.ts';
import { fillStretch } from '../workload/fill.ts';
import { asker } from './ask.ts';
import { type Cost, curves, type Size } from './curve.ts';
import { settled } from './settled.ts';

const readings = 100_000;
const dersOfSite = 5;
// Short, so that many DERs at every size can be filled and sealed one by one.
const spanMs = 6 * hourMs;
const ofDer = spanMs / 5000;
// Half past twelve: sealed except for half an hour. Tomorrow, so that the server has nothing to seal, which would be most of
// its work with the most data.
const now = Math.floor(Date.now() / dayMs) * dayMs + 1.5 * dayMs + hourMs / 2;

/** Measures the same hours of one DER, with more DERs stored besides. */
export const readingsKept = (): Promise<Finding[]> =>
  curves((times) => `${(readings * times) / 1e6} million readings`, openWorld);

async function openWorld({ times, dataDir, open }: Size): Promise<Record<string, () => Promise<Cost>>> {
  const ders = Math.ceil((readings * times) / ofDer);
  const { owner } = await enrolFleet(dataDir, { sites: Math.ceil(ders / dersOfSite) });
  const telemetry = await openFolderTelemetry(dataDir);
  await fillStretch(telemetry, { ders: (await derNumbers(dataDir)).slice(0, ders), from: now - spanMs, to: now });
  await telemetry.close();
  const server = open.use(await startCloudServer(dataDir));
  const token = await signIn(server.url, owner);
  await settled(server);
  const path = `/ders/${idOf('der', 0)}/telemetry?from=${now - spanMs}&to=${now}&resolution=5m`;
  return {
    '6 h of a DER in 5 minutes, W': asker(server, { paths: [`${path}&fields=W`], token, amount: 100 }),
    '6 h of a DER in 5 minutes, all fields': asker(server, { paths: [path], token, amount: 100 }),
  };
}
