import type { Client } from '#contract/client.ts';
import { isValidOn } from '#contract/price/tariff-rules.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { getTotalPrice, type PartKind, steps, type TotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { command } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { instantOf, localTime, timeForms } from '../line/time-range.ts';
import { UsageError } from '../line/usage-error.ts';
import { termOptions, termsOf } from '../prices/money-options.ts';
import { marketZone, zoneOfArea } from '../prices/price-day.ts';
import {
  areaArgument,
  findPlace,
  type PricePlace,
  placeFields,
  placeOptions,
  priceClient,
} from '../prices/price-terms.ts';
import { areaWords, showPrice, sourceWords } from '../prices/price-words.ts';
import { columns, printResult } from '../terminal/output.ts';

const columnsOf: readonly [kind: PartKind, title: string][] = [
  ['spot', 'SPOT'],
  ['markup', 'MARKUP'],
  ['grid_energy', 'GRID'],
  ['energy_tax', 'TAX'],
  ['vat', 'VAT'],
];

export const priceTotal = command({
  name: 'price total',
  summary: 'What a kilowatt-hour costs with everything: spot price, markup, grid fee, energy tax, VAT',
  arguments: [areaArgument],
  fields: placeFields,
  options: {
    ...placeOptions,
    ...termOptions,
    from: { value: 'TIME', says: `${timeForms}. Days are those of the market. Default today` },
    to: { value: 'TIME', says: 'the end, at most 366 days later. Default as far as prices are known' },
    resolution: { value: 'STEP', oneOf: steps, says: 'quarters or hours. Default PT60M' },
  },
  examples: [
    'price total SE3',
    'price total --at 57.70,11.97 --tariff 2d3d3e89-9fb0-4db4-be93-806a0e891fe8 --markup 0.05',
    'price total --site "My house" --json',
  ],
  async run({ arguments: given, options }, shell) {
    const place = await findPlace({ arguments: given, options }, shell, 'price total');
    const client = await priceClient(options, shell);
    const terms = termsOf(options, place.tariffId, 'price total');
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
    printResult(shell, options.json, answer, tell(answer, place.timeZone, tariffs));
  },
});

/** Days begin when those of the market do, wherever this machine is. */
function timeOf(name: string, text: string, { query: { area } }: PricePlace): string {
  const ms = instantOf(text, { now: systemClock.now(), timeZone: zoneOfArea(area) });
  if (ms === undefined) throw new UsageError(`--${name} is no time; one is ${timeForms}.`, 'price total');
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : formatTime(ms);
}

/** A position tells whose grid it is; which of its tariffs is yours depends on the fuse. */
async function tariffsAt(client: Client, { query: { lat, lon } }: PricePlace, timeZone: string): Promise<string[]> {
  if (lat === undefined || lon === undefined) return [];
  try {
    const { tariffs } = await client.call(tariffRoutes.lookup, { query: { lat, lon } });
    const today = dateAt(timeZone, systemClock.now());
    const valid = tariffs.filter(({ validPeriod, assumed }) => assumed || isValidOn(validPeriod, today));
    const [first] = valid;
    if (!first) return [];
    const rows = valid.map(({ id, name }) => [`  ${id}`, name]);
    return [`The grid there is that of ${first.company}; --tariff adds its fees:\n${columns(rows)}`];
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return [];
    throw error;
  }
}

function tell(answer: TotalPrice, timeZone: string, more: readonly string[]): string {
  const { currency, intervals, metadata, tariff_id } = answer;
  const present = columnsOf.filter(([wanted]) =>
    intervals.some(({ parts }) => parts.some(({ kind }) => kind === wanted)),
  );
  const rows = intervals.map(({ start, total, parts }) => [
    localTime(timeZone, Date.parse(start)),
    showPrice(total).padStart(8),
    ...present.map(([wanted]) => {
      const amounts = parts.filter(({ kind }) => kind === wanted).map(({ amount }) => amount);
      return showPrice(amounts.reduce((sum, amount) => sum + amount, 0)).padStart(8);
    }),
  ]);
  const vat = metadata.vat_percent > 0 ? `with ${metadata.vat_percent} % VAT` : 'without VAT';
  const tariff = tariff_id ? `, grid tariff ${tariff_id}` : '';
  return [
    `${areaWords(answer)}: ${currency} for a kWh, ${vat}${tariff}; times of ${timeZone}`,
    columns([['FROM', 'TOTAL'.padStart(8), ...present.map(([, title]) => title.padStart(8))], ...rows]),
    [sourceWords(answer), ...metadata.notes.map((note) => plainMessage(note, priceTotal))].join('\n'),
    ...more,
  ].join('\n\n');
}
