import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { command } from '../line/command.ts';
import { localTime } from '../line/time-range.ts';
import { meanOf, priceAt, rankOf } from '../prices/price-day.ts';
import { areaArgument, placeFields, placeOptions } from '../prices/price-terms.ts';
import { areaWords, ordinal, showPrice, sourceWords } from '../prices/price-words.ts';
import { aboutSpot, askSpotPrices } from '../prices/spot-prices.ts';
import { printResult } from '../terminal/output.ts';

export const priceNow = command({
  name: 'price now',
  summary: 'The spot price of this hour, and where it stands in the day',
  arguments: [areaArgument],
  options: placeOptions,
  fields: placeFields,
  examples: ['price now', 'price now SE3', 'price now --at 57.70,11.97 --url http://localhost:8082 --json'],
  async run({ arguments: given, options }, shell) {
    const now = systemClock.now();
    const { answer, days, timeZone } = await askSpotPrices({ arguments: given, options }, shell, 'price now');
    const found = priceAt(days, now);
    if (!found) throw new Problem('not_found', `The price of ${areaWords(answer)} now is not known.`);
    const { point, day } = found;
    const prices = day.points.map(({ price }) => price);
    const [lowest, highest, mean] = [Math.min(...prices), Math.max(...prices), meanOf(day)];
    const result = {
      ...aboutSpot(answer),
      price: point.price,
      start: formatTime(point.start),
      end: formatTime(point.end),
      rank: rankOf(point, day),
      hours: prices.length,
      lowest,
      highest,
      mean: Number(showPrice(mean, 6)),
    };
    const clock = (ms: number): string => localTime(timeZone, ms).slice(11);
    printResult(
      shell,
      options.json,
      result,
      [
        `${showPrice(point.price)} ${answer.currency} for a kWh in ${areaWords(answer)} from ${clock(point.start)} to ${clock(point.end)} (${timeZone}): spot, without VAT.`,
        `The ${ordinal(result.rank)} cheapest of ${prices.length} hours today, which go from ${showPrice(lowest)} to ${showPrice(highest)}, ${showPrice(mean)} in the mean.`,
        sourceWords(answer),
      ].join('\n'),
    );
  },
});
