import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type Bill, makeBill } from '#contract/price/total.ts';
import { formatTime } from '#contract/time.ts';
import { startOfDate, wallAt } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { command, type Shell } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { showNumber } from '../line/quantity.ts';
import { localTime, machineTimeZone, rangeOf, timeForms } from '../line/time-range.ts';
import { UsageError } from '../line/usage-error.ts';
import { curveOfCsv, curveOfSite, type SiteCurve } from '../prices/load-curve.ts';
import { termOptions, termsOf } from '../prices/money-options.ts';
import { zoneOfArea } from '../prices/price-day.ts';
import { areaArgument, findPlace, placeFields, placeOptions, priceClient } from '../prices/price-terms.ts';
import { areaWords, showPrice, sourceWords } from '../prices/price-words.ts';
import { signedIn } from '../sign-in/session.ts';
import { findSite } from '../sites/find-site.ts';
import { columns, printResult } from '../terminal/output.ts';

const name = 'price bill';

export const priceBill = command({
  name,
  summary: 'Bill the electricity of a meter line by line, from a CSV file or from the history of a site',
  arguments: [areaArgument],
  fields: { ...placeFields, intervals: 'interval' },
  options: {
    csv: {
      value: 'FILE',
      says: 'columns start, import_kwh and, if known, end and export_kwh; - for the standard input',
    },
    ...placeOptions,
    ...termOptions,
    from: { value: 'TIME', says: `of the history: ${timeForms}. Default the first of this month` },
    to: { value: 'TIME', says: 'of the history: the end, at most 400 days later. Default now' },
  },
  examples: [
    'price bill SE3 --csv january.csv --tariff 2d3d3e89-9fb0-4db4-be93-806a0e891fe8',
    'price bill --site "My house" --from 2026-01-01 --to 2026-02-01 --markup 0.08',
  ],
  async run({ arguments: given, options }, shell) {
    if (options.csv !== undefined && (options.from ?? options.to) !== undefined)
      throw new UsageError('--from and --to are for the history of a site; a file is billed whole.', name);
    const place = await findPlace({ arguments: given, options }, shell, name);
    const { intervals, missing }: SiteCurve =
      options.csv === undefined
        ? await siteCurve(options, shell)
        : { intervals: curveOfCsv(await textOf(options.csv, shell), zoneOfArea(place.query.area)), missing: 0 };
    const client = await priceClient(options, shell);
    const bill = await client.call(makeBill, {
      query: {},
      body: { ...place.query, ...termsOf(options, place.tariffId, name), intervals },
    });
    printResult(shell, options.json, bill, billText(bill, place.timeZone, missing));
  },
});

const textOf = (file: string, { stdin }: Shell): Promise<string> =>
  file === '-' ? readAll(stdin) : readFile(file, 'utf8');

type HistoryOptions = { site: string | undefined; from: string | undefined; to: string | undefined };

async function siteCurve({ site: named, from, to }: HistoryOptions, shell: Shell): Promise<SiteCurve> {
  const api = await signedIn(shell);
  const site = await findSite(api, named);
  const timeZone = site.timezone ?? machineTimeZone();
  const now = systemClock.now();
  const month = `${new Date(wallAt(timeZone, now)).toISOString().slice(0, 7)}-01`;
  const first = from ?? (to === undefined ? formatTime(startOfDate(timeZone, month)) : undefined);
  const range = rangeOf({ from: first, to }, { now, timeZone }, name);
  return curveOfSite(api, site, range, shell.untilInterrupted());
}

function billText(bill: Bill, timeZone: string, missing: number): string {
  const { currency, lines, total, metadata } = bill;
  const clock = (time: string): string => localTime(timeZone, Date.parse(time));
  const money = (amount: number): string => (amount + 0).toFixed(2);
  const rows = lines.flatMap((line) => [
    [
      line.name,
      showNumber(line.quantity),
      line.unit,
      line.kind === 'vat' ? '' : showPrice(line.price),
      money(line.amount),
    ],
    ...(line.peaks ?? []).map((peak) => [`  peak ${clock(peak.start)}`, showNumber(peak.kw), 'kW', '', '']),
  ]);
  const table = [['', 'QUANTITY', 'UNIT', 'PRICE', currency], ...rows, ['Total', '', '', '', money(total)]];
  const [quantities, prices, amounts] = [1, 3, 4].map((at) => Math.max(...table.map((row) => row[at]!.length)));
  const aligned = table.map(([what, quantity, unit, price, amount]) => [
    what!,
    quantity!.padStart(quantities!),
    unit!,
    price!.padStart(prices!),
    amount!.padStart(amounts!),
  ]);
  const used = `${showNumber(metadata.import_kwh)} kWh used`;
  const sold = metadata.export_kwh > 0 ? ` and ${showNumber(metadata.export_kwh)} kWh sold` : '';
  return [
    `${areaWords(bill)}, ${clock(metadata.from)} to ${clock(metadata.to)} (${timeZone}): ${used}${sold}`,
    columns(aligned),
    [
      sourceWords(bill),
      ...(missing > 0
        ? [
            `${missing} ${missing === 1 ? 'quarter-hour has' : 'quarter-hours have'} no reading and ${missing === 1 ? 'is' : 'are'} not on the bill.`,
          ]
        : []),
      ...metadata.notes.map((note) => plainMessage(note, priceBill)),
    ].join('\n'),
  ].join('\n\n');
}
