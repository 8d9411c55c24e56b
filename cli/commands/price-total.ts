import type { Client } from '#contract/client.ts';
import { isValidOn } from '#contract/price/tariff-rules.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { getTotalPrice, type PartKind, steps, type TotalPrice } from '#contract/price/total.ts';
import { formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { UsageError } from '../line/command.ts';
import { ifFound } from '../line/errors.ts';
import { plainMessage } from '../line/plain-message.ts';
import { report } from '../line/report.ts';
import { formatLocalTime, parsePastTime, pastTimeFormats } from '../line/time.ts';
import { marketZone, zoneOfArea } from '../prices/price-day.ts';
import { located, openTotals, type PriceLocation, totalOptions } from '../prices/price-options.ts';
import { describeArea, describeSource, describeVat, formatPrice } from '../prices/price-words.ts';
import { columns } from '../terminal/output.ts';

const partColumns: readonly [kind: PartKind, title: string][] = [
  ['spot', 'SPOT'],
  ['markup', 'MARKUP'],
  ['grid_energy', 'GRID'],
  ['energy_tax', 'TAX'],
  ['vat', 'VAT'],
];

export const priceTotal = report('price total', {
  summary: 'Show the total price of a kilowatt-hour: spot price, markup, grid fee, energy tax and VAT',
  ...located,
  options: {
    ...totalOptions,
    from: { value: 'TIME', help: `start: ${pastTimeFormats}, in market days. Default: today` },
    to: { value: 'TIME', help: 'end, at most 366 days later. Default: the end of the known prices' },
    resolution: { value: 'STEP', oneOf: steps, help: 'quarter-hours or hours. Default PT60M' },
  },
  examples: [
    'price total SE3',
    'price total --at 57.70,11.97 --tariff 2d3d3e89-9fb0-4db4-be93-806a0e891fe8 --markup 0.05',
    'price total --site "My house" --json',
  ],
  async run({ arguments: given, options }, shell) {
    const { place, terms, client } = await openTotals({ arguments: given, options }, shell);
    const answer = await client.call(getTotalPrice, {
      query: {
        ...place.query,
        ...terms,
        ...(options.from !== undefined && { from: timeOf('from', options.from, place) }),
        ...(options.to !== undefined && { to: timeOf('to', options.to, place) }),
        ...(options.resolution && { resolution: options.resolution }),
      },
    });
    const tariffs =
      terms.tariff_id === undefined && !options.json ? await tariffsAt(client, place, marketZone(answer)) : [];
    return { result: answer, text: formatTable(answer, place.timeZone, tariffs) };
  },
});

/** Parses a time; days are those of the market, not of this machine. */
function timeOf(name: string, text: string, { query: { area } }: PriceLocation): string {
  const ms = parsePastTime(text, { now: systemClock.now(), timeZone: zoneOfArea(area) });
  if (ms === undefined) throw new UsageError(`--${name} is not a valid time. Use ${pastTimeFormats}.`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : formatTime(ms);
}

/** Lists the grid tariffs at a position. The position gives the grid operator; the tariff depends on the fuse. */
async function tariffsAt(client: Client, { query: { lat, lon } }: PriceLocation, timeZone: string): Promise<string[]> {
  if (lat === undefined || lon === undefined) return [];
  const found = await ifFound(client.call(tariffRoutes.lookup, { query: { lat, lon } }));
  const today = dateAt(timeZone, systemClock.now());
  const valid = found?.tariffs.filter(({ validPeriod, assumed }) => assumed || isValidOn(validPeriod, today)) ?? [];
  const [first] = valid;
  if (!first) return [];
  const rows = valid.map(({ id, name }) => [`  ${id}`, name]);
  return [`The grid operator there is ${first.company}; add its fees with --tariff:\n${columns(rows)}`];
}

function formatTable(answer: TotalPrice, timeZone: string, more: readonly string[]): string {
  const { currency, intervals, metadata, tariff_id } = answer;
  const present = partColumns.filter(([wanted]) =>
    intervals.some(({ parts }) => parts.some(({ kind }) => kind === wanted)),
  );
  const rows = intervals.map(({ start, total, parts }) => [
    formatLocalTime(timeZone, Date.parse(start)),
    formatPrice(total).padStart(8),
    ...present.map(([wanted]) => {
      const amounts = parts.filter(({ kind }) => kind === wanted).map(({ amount }) => amount);
      return formatPrice(amounts.reduce((sum, amount) => sum + amount, 0)).padStart(8);
    }),
  ]);
  const tariff = tariff_id ? `, grid tariff ${tariff_id}` : '';
  return [
    `${describeArea(answer)}: ${currency} for a kWh, ${describeVat(metadata)}${tariff}; times in ${timeZone}`,
    columns([['FROM', 'TOTAL'.padStart(8), ...present.map(([, title]) => title.padStart(8))], ...rows]),
    [describeSource(answer), ...metadata.notes.map((note) => plainMessage(note, priceTotal))].join('\n'),
    ...more,
  ].join('\n\n');
}
