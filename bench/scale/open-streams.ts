import { signIn, startCloudServer } from '../cloud-server.ts';
import { enrolFleet } from '../fleet/enrol.ts';
import { startGenerator } from '../fleet/start-generator.ts';
import { seat } from '../live/audience.ts';
import type { Finding } from '../measure/finding.ts';
import { type Cost, curves, type Size } from './curve.ts';

const viewers = 100;
const viewersOfSite = 10;
const perSecond = 100; // of all sites together: few enough that no site has two events at once
const seconds = 3;

/** Measures an event to ten viewers of a site, with more sites and viewers besides. */
export const openStreams = (): Promise<Finding[]> => curves((times) => `${viewers * times} viewers`, openWorld);

async function openWorld({ times, dataDir, open }: Size): Promise<Record<string, () => Promise<Cost>>> {
  const sites = (viewers * times) / viewersOfSite;
  const { owner, logins } = await enrolFleet(dataDir, { sites, gateways: sites });
  const server = open.use(await startCloudServer(dataDir));
  const generator = open.use(await startGenerator(server, logins));
  const token = await signIn(server.url, owner);
  const audience = open.use(await seat(server, token, { count: viewers * times, sites }));
  return {
    'an event delivered': async () => {
      const { cpuShare, deliveries, p50Ms } = await audience.watch(() => generator.pace(perSecond, seconds));
      return { cpuUs: (cpuShare * 10_000) / deliveries, wallMs: p50Ms };
    },
  };
}
