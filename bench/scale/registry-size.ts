import { signIn, startCloudServer } from '../cloud-server.ts';
import { enrolFleet } from '../fleet/enrol.ts';
import { startGenerator } from '../fleet/start-generator.ts';
import { costOf } from '../ingest/cost.ts';
import { fillHot } from '../ingest/fill-hot.ts';
import type { Finding } from '../measure/finding.ts';
import { idOf } from '../registry/fill.ts';
import { middlePage } from '../registry/middle-page.ts';
import { asker } from './ask.ts';
import { type Cost, curves, type Size } from './curve.ts';
import { settled } from './settled.ts';

const sites = 1000;
const samples = 5000;
const gateways = 300; // that publish, the same at all sizes
const each = 60;

/** Measures ingest, and pages of the sites of one organization, with more sites and more unsealed samples. */
export const registrySize = (): Promise<Finding[]> =>
  curves((times) => `${sites * times} sites, ${samples * times} samples`, openWorld);

async function openWorld({ times, dataDir, open }: Size): Promise<Record<string, () => Promise<Cost>>> {
  const { owner, logins } = await enrolFleet(dataDir, { sites: sites * times, gateways });
  await fillHot(dataDir, samples * times);
  const server = open.use(await startCloudServer(dataDir));
  const generator = open.use(await startGenerator(server, logins));
  const token = await signIn(server.url, owner);
  const list = `/sites?org_id=${idOf('org', 0)}`;
  const middle = await middlePage({ server, token, sites: sites * times }, list);
  const publish = async (): Promise<number> => (await generator.publish(each)).messages;
  await settled(server);
  return {
    'first 100 sites of the organization': asker(server, { paths: [`${list}&limit=100`], token, amount: 200 }),
    '100 sites in the middle': asker(server, { paths: [middle], token, amount: 200 }),
    'a reading stored and acknowledged': async () => {
      const { cpuUs, perSecond } = await costOf(server.usage, publish);
      return { cpuUs, wallMs: 1000 / perSecond };
    },
  };
}
