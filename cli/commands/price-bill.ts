import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type Bill, makeBill } from '#contract/price/total.ts';
import { formatTime } from '#contract/time.ts';
import { startOfDate, wallAt } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { type Shell, UsageError } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { report } from '../line/report.ts';
import { machineTimeZone, parseRange, pastTimeFormats } from '../line/time.ts';
import { billParagraphs } from '../prices/bill-text.ts';
import { curveOfCsv, curveOfSite, type SiteCurve } from '../prices/load-curve.ts';
import { zoneOfArea } from '../prices/price-day.ts';
import { located, openTotals, totalOptions } from '../prices/price-options.ts';
import { describeSource } from '../prices/price-words.ts';
import { openSession } from '../sign-in/session.ts';
import { findSite } from '../sites/find-site.ts';

export const priceBill = report('price bill', {
  summary: 'Calculate the electricity bill for a load curve, from a CSV file or the history of a site',
  ...located,
  fields: { ...located.fields, intervals: 'interval' },
  options: {
    csv: {
      value: 'FILE',
      help: 'load curve with columns start, import_kwh and optionally end, export_kwh; - for standard input',
    },
    ...totalOptions,
    from: { value: 'TIME', help: `start of the history: ${pastTimeFormats}. Default: the first of this month` },
    to: { value: 'TIME', help: 'end of the history, at most 400 days later. Default: now' },
  },
  examples: [
    'price bill SE3 --csv january.csv --tariff 2d3d3e89-9fb0-4db4-be93-806a0e891fe8',
    'price bill --site "My house" --from 2026-01-01 --to 2026-02-01 --markup 0.08',
  ],
  async run({ arguments: given, options }, shell) {
    if (options.csv !== undefined && (options.from ?? options.to) !== undefined)
      throw new UsageError('--from and --to work only with the history of a site, not with --csv.');
    const { place, terms, client } = await openTotals({ arguments: given, options }, shell);
    const { intervals, missing }: SiteCurve =
      options.csv === undefined
        ? await siteCurve(options, shell)
        : { intervals: curveOfCsv(await textOf(options.csv, shell), zoneOfArea(place.query.area)), missing: 0 };
    const bill = await client.call(makeBill, { query: {}, body: { ...place.query, ...terms, intervals } });
    return { result: bill, text: billText(bill, place.timeZone, missing) };
  },
});

const textOf = (file: string, { stdin }: Shell): Promise<string> =>
  file === '-' ? readAll(stdin) : readFile(file, 'utf8');

async function siteCurve(
  { site: named, from, to }: { [Name in 'site' | 'from' | 'to']: string | undefined },
  shell: Shell,
): Promise<SiteCurve> {
  const api = await openSession(shell);
  const site = await findSite(api, named);
  const timeZone = site.timezone ?? machineTimeZone();
  const now = systemClock.now();
  const month = `${new Date(wallAt(timeZone, now)).toISOString().slice(0, 7)}-01`;
  const first = from ?? (to === undefined ? formatTime(startOfDate(timeZone, month)) : undefined);
  const range = parseRange({ from: first, to }, { now, timeZone });
  return curveOfSite(api, site, range, shell.untilInterrupted());
}

function billText(bill: Bill, timeZone: string, missing: number): string {
  const remarks = [
    describeSource(bill),
    ...(missing > 0 ? [describeMissing(missing)] : []),
    ...bill.metadata.notes.map((note) => plainMessage(note, priceBill)),
  ];
  return [...billParagraphs(bill, timeZone), remarks.join('\n')].join('\n\n');
}

const describeMissing = (count: number): string =>
  count === 1
    ? '1 quarter-hour was not measured and is not included in the bill.'
    : `${count} quarter-hours were not measured and are not included in the bill.`;
