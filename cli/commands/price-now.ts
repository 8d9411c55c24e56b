import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { report } from '../line/report.ts';
import { formatLocalTime } from '../line/time.ts';
import { fetchSpotPrices, meanOf, priceAt, rankOf, spotMetadata } from '../prices/price-day.ts';
import { located, locationOptions } from '../prices/price-options.ts';
import { describeArea, describeSource, formatPrice, ordinal } from '../prices/price-words.ts';

export const priceNow = report('price now', {
  summary: 'Show the current spot price and its rank in the day',
  ...located,
  options: locationOptions,
  examples: ['price now', 'price now SE3', 'price now --at 57.70,11.97 --url http://localhost:8082 --json'],
  async run({ arguments: given, options }, shell) {
    const now = systemClock.now();
    const { answer, days, timeZone } = await fetchSpotPrices({ arguments: given, options }, shell);
    const found = priceAt(days, now);
    if (!found) throw new Problem('not_found', `The current price of ${describeArea(answer)} is unknown.`);
    const { point, day } = found;
    const prices = day.points.map(({ price }) => price);
    const [lowest, highest, mean] = [Math.min(...prices), Math.max(...prices), meanOf(day)];
    const result = {
      ...spotMetadata(answer),
      price: point.price,
      start: formatTime(point.start),
      end: formatTime(point.end),
      rank: rankOf(point, day),
      hours: prices.length,
      lowest,
      highest,
      mean: Number(formatPrice(mean, 6)),
    };
    const clock = (ms: number): string => formatLocalTime(timeZone, ms).slice(11);
    return {
      result,
      text: [
        `${formatPrice(point.price)} ${answer.currency} for a kWh in ${describeArea(answer)} from ${clock(point.start)} to ${clock(point.end)} (${timeZone}): spot, without VAT.`,
        `The ${ordinal(result.rank)} cheapest of ${prices.length} hours today. Today's prices range from ${formatPrice(lowest)} to ${formatPrice(highest)}, ${formatPrice(mean)} on average.`,
        describeSource(answer),
      ].join('\n'),
    };
  },
});
