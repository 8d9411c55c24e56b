import { getTotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { command } from '../command.ts';
import { printResult } from '../output.ts';
import { daysOf, meanOf, priceAt, rankOf } from '../price-day.ts';
import { findPlace, placeOptions, priceClient } from '../price-terms.ts';
import { areaWords, ordinal, showPrice, sourceWords } from '../price-words.ts';
import { localTime } from '../time-range.ts';

export const priceNow = command({
  name: 'price now',
  summary: 'The spot price of this hour, and where it stands in the day',
  options: placeOptions,
  examples: ['price now', 'price now --area SE3', 'price now --at 57.70,11.97 --url http://localhost:8082 --json'],
  async run({ options }, shell) {
    const place = await findPlace(options, shell, 'price now');
    const now = systemClock.now();
    const client = await priceClient(options, shell);
    const answer = await client.call(getTotalPrice, { query: place.query });
    const found = priceAt(daysOf(answer), now);
    if (!found) throw new Problem('not_found', `The price of ${areaWords(answer)} now is not known.`);
    const { point, day } = found;
    const { timeZone } = place;
    const prices = day.points.map(({ price }) => price);
    const [lowest, highest, mean] = [Math.min(...prices), Math.max(...prices), meanOf(day)];
    const { currency, metadata } = answer;
    const result = {
      area: metadata.resolved_area,
      currency,
      unit: 'kWh',
      price: point.price,
      vat_included: false,
      start: formatTime(point.start),
      end: formatTime(point.end),
      rank: rankOf(point, day),
      hours: prices.length,
      lowest,
      highest,
      mean,
      provider: metadata.provider,
      is_simulated: metadata.is_simulated,
    };
    const clock = (ms: number): string => localTime(timeZone, ms).slice(11);
    printResult(
      shell,
      options.json,
      result,
      [
        `${showPrice(point.price)} ${currency} for a kWh in ${areaWords(answer)} from ${clock(point.start)} to ${clock(point.end)} (${timeZone}): spot, without VAT.`,
        `The ${ordinal(result.rank)} cheapest of ${prices.length} hours today, which go from ${showPrice(lowest)} to ${showPrice(highest)}, ${showPrice(mean)} in the mean.`,
        sourceWords(answer),
      ].join('\n'),
    );
  },
});
