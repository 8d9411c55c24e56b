import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cell } from '#contract/cloud/public.ts';
import { freshReadings } from './cells/fresh-readings.ts';
import { startCloudServer } from './cloud-server.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { compared, type Finding, measured } from './measure/finding.ts';
import { load } from './measure/load.ts';
import { inTurns } from './measure/rounds.ts';
import type { ServerProcess } from './measure/server-process.ts';

const small = 1000;
const large = 100_000;
const dersOfSite = 5;
const rounds = 7;
const amount = 200;

/** The public numbers of the fullest cell, with every DER heard lately: spread over the map, and all in one cell. */
export async function cells(): Promise<Finding[]> {
  return [...(await measure('DERs over 3000 cells', undefined)), ...(await measure('DERs in one cell', 1))];
}

async function measure(what: string, places: number | undefined): Promise<Finding[]> {
  await using few = await openWorld(small, places);
  await using many = await openWorld(large, places);
  const contenders = { few: await asker(few.server), many: await asker(many.server) };
  await inTurns(2, contenders);
  const waits = await inTurns(rounds, contenders);
  const against = { name: `${small} DERs`, values: waits.few };
  return [
    measured(`stats, ${large} ${what}`, 'ms', waits.many, { of: 'value', atMost: 2 }),
    compared(`stats, ${large} ${what}`, 'ms', waits.many, against, { of: 'ratio', atMost: 2 }),
    measured(`start with ${large} ${what}`, 's', [many.startSeconds]),
  ];
}

async function openWorld(ders: number, places: number | undefined) {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-')));
  await enrolFleet(folder.path, { sites: ders / dersOfSite, ...(places && { places }) });
  await freshReadings(folder.path);
  const began = performance.now();
  const server = open.use(await startCloudServer(folder.path));
  const startSeconds = (performance.now() - began) / 1000;
  const kept = open.move();
  return { server, startSeconds, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function asker(server: ServerProcess): Promise<() => Promise<number>> {
  const path = `/public/cells/${await fullestCell(server)}/stats`;
  return async () => (await load(server, [{ method: 'GET', path, headers: {} }], { amount, connections: 1 })).waitMs;
}

async function fullestCell({ url }: ServerProcess): Promise<string> {
  const { cells } = (await (await fetch(`${url}/public/cells`)).json()) as { cells: Cell[] };
  return cells.toSorted((a, b) => b.site_count - a.site_count)[0]!.h3_index;
}
