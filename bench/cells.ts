import type { Cell } from '#contract/cloud/public.ts';
import { recentReadings } from './cells/recent-readings.ts';
import { signIn, startCloudServer } from './cloud-server.ts';
import { enrolFleet } from './fleet/enrol.ts';
import type { Finding } from './measure/finding.ts';
import type { ServerProcess } from './measure/server-process.ts';
import { idOf } from './registry/fill.ts';
import { asker } from './scale/ask.ts';
import { type Cost, curves, type Size } from './scale/curve.ts';
import { settled } from './scale/settled.ts';

const ders = 1000;
const dersOfSite = 5;
const shown = 50;

/** Measures the public numbers of the fullest cell and the latest readings of 50 DERs, while every DER reports. */
export async function cells(): Promise<Finding[]> {
  return [
    ...(await curves((times) => `${ders * times} DERs over the map`, overTheMap)),
    ...(await curves((times) => `${ders * times} DERs in one cell`, inOneCell)),
  ];
}

type World = { server: ServerProcess; token: string };

async function openWorld({ times, dataDir, open }: Size, places?: number): Promise<World> {
  const sites = (ders * times) / dersOfSite;
  const { owner } = await enrolFleet(dataDir, { sites, ...(places && { places }) });
  await recentReadings(dataDir);
  const server = open.use(await startCloudServer(dataDir));
  const token = await signIn(server.url, owner);
  await settled(server);
  return { server, token };
}

async function overTheMap(size: Size): Promise<Record<string, () => Promise<Cost>>> {
  const { server, token } = await openWorld(size);
  const step = (ders * size.times) / shown;
  const paths = Array.from({ length: shown }, (_, n) => `/ders/${idOf('der', n * step)}`);
  return {
    'stats of the fullest cell': asker(server, { paths: [await fullestCell(server)] }),
    'a DER with its newest reading, one of 50': asker(server, { paths, token }),
  };
}

async function inOneCell(size: Size): Promise<Record<string, () => Promise<Cost>>> {
  const { server } = await openWorld(size, 1);
  return { 'stats of the cell': asker(server, { paths: [await fullestCell(server)] }) };
}

async function fullestCell({ url }: ServerProcess): Promise<string> {
  const { cells: all } = (await (await fetch(`${url}/public/cells`)).json()) as { cells: Cell[] };
  return `/public/cells/${all.toSorted((a, b) => b.site_count - a.site_count)[0]!.h3_index}/stats`;
}
