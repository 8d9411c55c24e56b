import { Readable } from 'node:stream';
import * as contract from '#contract/cloud/energy.ts';
import { csvCell } from '#contract/csv.ts';
import { formatTime } from '#contract/time.ts';
import { PreSerialized } from '#lib/http/mount.ts';
import type { CloudMount } from '../access/door.ts';
import type { Db } from '../store/engine.ts';
import { getSite } from '../store/sites.ts';
import type { Entry } from './book.ts';
import type { SiteTotals } from './codec.ts';
import { noTotals } from './codec.ts';
import { readDeviceEnergy } from './devices.ts';
import { edgesOf, parseEnergyRange } from './intervals.ts';
import type { Ledger } from './ledger.ts';
import { addTotals, readSums, toEnergy } from './report.ts';

const largeAnswer = 3000; // intervals; beyond it, the answer is sent in parts
const writtenTogether = 50; // intervals: few, so that their pieces are garbage before they are old

const sumNames = Object.keys(contract.EnergyTotal.properties) as (keyof contract.EnergyTotal)[];
const deviceNames = Object.keys(contract.DeviceEnergy.properties) as (keyof contract.DeviceEnergy)[];

const headersOf = (format: string | undefined, name: string): Record<string, string> =>
  format === 'csv'
    ? {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${encodeURIComponent(name)}.csv"`,
      }
    : { 'content-type': 'application/json; charset=utf-8' };

export function energyRoutes(mount: CloudMount, { ledger }: { ledger: Pick<Ledger, 'unwritten'> }): void {
  mount(contract.getSiteEnergy, async ({ params, query, db, now }) => {
    const { site_id } = params;
    const site = await getSite(db, site_id);
    const timezone = site.timezone ?? 'UTC';
    const range = parseEnergyRange(query, now, timezone);
    const edges = await edgesOf(range, timezone);
    const unwritten = await ledger.unwritten(site_id);
    const { from, to, resolution } = range;
    const head = { site_id, timezone, resolution, from: formatTime(from), to: formatTime(to) };
    const asked = { db, siteId: site_id, edges, unwritten, now };
    const text = query.format === 'csv' ? csvOf(asked) : jsonOf(asked, head);
    const headers = headersOf(query.format, `${site.name} energy`);
    if (edges.length > largeAnswer)
      return new PreSerialized<contract.SiteEnergy>({ text: Readable.from(text), headers });
    return new PreSerialized<contract.SiteEnergy>({ text: (await Array.fromAsync(text)).join(''), headers });
  });

  mount(contract.getSiteDeviceEnergy, async ({ params, query, db, now }) => {
    const { site_id } = params;
    const site = await getSite(db, site_id);
    const { from, to } = parseEnergyRange({ ...query, resolution: '1d' }, now, site.timezone ?? 'UTC');
    const devices = await readDeviceEnergy(db, site_id, { from, to, now }, await ledger.unwritten(site_id));
    if (query.format !== 'csv') return { site_id, from: formatTime(from), to: formatTime(to), devices };
    const rows = devices.map((device) => deviceNames.map((name) => csvCell(device[name])).join());
    const text = `${[deviceNames.join(), ...rows].join('\n')}\n`;
    return new PreSerialized<contract.SiteDeviceEnergy>({ text, headers: headersOf('csv', `${site.name} devices`) });
  });
}

type Asked = { db: Db; siteId: string; edges: readonly number[]; unwritten: readonly Entry[]; now: number };

type WriteInterval = (start: string, end: string, energy: contract.EnergyTotal) => string;

/** Reads intervals, adds them to a total, and writes them as text, a few at a time. */
async function* intervalsOf(
  { db, siteId, edges, unwritten, now }: Asked,
  total: SiteTotals,
  write: WriteInterval,
): AsyncGenerator<string[]> {
  let i = 0;
  let startText = formatTime(edges[0] ?? 0);
  let texts: string[] = [];
  for await (const some of readSums(db, siteId, edges, unwritten)) {
    for (const sums of some) {
      const [start = 0, end = 0] = [edges[i], edges[i + 1]];
      i++;
      addTotals(total, sums);
      const endText = formatTime(end);
      texts.push(write(startText, endText, toEnergy(sums, Math.min(end, now) - start)));
      startText = endText;
      if (texts.length < writtenTogether) continue;
      yield texts;
      texts = [];
    }
  }
  if (texts.length > 0) yield texts;
}

const jsonKeys = sumNames.map((name) => [name, `,"${name}":`] as const);

/** Writes an interval as JSON: a year has 35 000 of them, and JSON.stringify takes half as long again. */
function intervalJson(start: string, end: string, energy: contract.EnergyTotal): string {
  let text = `{"start":"${start}","end":"${end}"`;
  for (const [name, key] of jsonKeys) text += key + energy[name];
  return `${text}}`;
}

function intervalCsv(start: string, end: string, energy: contract.EnergyTotal): string {
  let text = `${start},${end}`;
  for (const name of sumNames) text += `,${energy[name] ?? ''}`;
  return `${text}\n`;
}

async function* jsonOf(asked: Asked, head: object): AsyncGenerator<string> {
  const { edges, now } = asked;
  const total = noTotals();
  yield `${JSON.stringify(head).slice(0, -1)},"intervals":[`;
  let before = '';
  for await (const intervals of intervalsOf(asked, total, intervalJson)) {
    yield before + intervals.join();
    before = ',';
  }
  const passedMs = Math.min(edges.at(-1) ?? 0, now) - (edges[0] ?? 0);
  yield `],"total":${JSON.stringify(toEnergy(total, passedMs))}}`;
}

async function* csvOf(asked: Asked): AsyncGenerator<string> {
  yield `start,end,${sumNames.join()}\n`;
  for await (const intervals of intervalsOf(asked, noTotals(), intervalCsv)) yield intervals.join('');
}
