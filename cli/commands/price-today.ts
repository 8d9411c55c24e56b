import { formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { command } from '../line/command.ts';
import { localTime } from '../line/time-range.ts';
import { cheapestOf, marketZone, meanOf, type PriceDay, type PricePoint, priceAt } from '../prices/price-day.ts';
import { areaArgument, placeFields, placeOptions } from '../prices/price-terms.ts';
import { areaWords, showPrice, sourceWords } from '../prices/price-words.ts';
import { aboutSpot, askSpotPrices } from '../prices/spot-prices.ts';
import { bar } from '../terminal/bars.ts';
import { columns, printResult } from '../terminal/output.ts';

const barWidth = 40;
const cheapHours = 3;

export const priceToday = command({
  name: 'price today',
  summary: 'The spot prices of today, and of tomorrow once they are published',
  arguments: [areaArgument],
  options: placeOptions,
  fields: placeFields,
  examples: ['price today', 'price today SE3', 'price today --site "My house" --json'],
  async run({ arguments: given, options }, shell) {
    const now = systemClock.now();
    const { answer, days: found, timeZone } = await askSpotPrices({ arguments: given, options }, shell, 'price today');
    const days = found.map((day) => ({ ...day, cheapest: cheapestOf(day, cheapHours) }));
    const result = {
      ...aboutSpot(answer),
      days: days.map((day) => ({
        date: day.date,
        mean: Number(showPrice(meanOf(day), 6)),
        intervals: day.points.map((point) => ({
          start: formatTime(point.start),
          end: formatTime(point.end),
          price: point.price,
          is_cheapest: day.cheapest.has(point),
        })),
      })),
    };
    const today = dateAt(marketZone(answer), now);
    const current = priceAt(days, now)?.point;
    const all = days.flatMap(({ points }) => points);
    const tables = days.map(({ cheapest, ...day }) => {
      const head = `${day.date === today ? 'Today' : 'Tomorrow'}, ${day.date}: ${showPrice(meanOf(day))} in the mean`;
      return `${head}\n${dayTable({ day, all, cheapest, current, timeZone })}`;
    });
    printResult(
      shell,
      options.json,
      result,
      [
        `${areaWords(answer)}: ${answer.currency} for a kWh, spot, without VAT; times of ${timeZone}; the cheapest are marked *`,
        ...tables,
        ...(days.some(({ date }) => date > today)
          ? []
          : ['Tomorrow is not published yet; it comes at about 13:00 in Brussels.']),
        sourceWords(answer),
      ].join('\n\n'),
    );
  },
});

type Table = {
  day: PriceDay;
  all: readonly PricePoint[];
  cheapest: ReadonlySet<PricePoint>;
  current: PricePoint | undefined;
  timeZone: string;
};

/** Bars of all days have one scale, which begins at zero or below. */
function dayTable({ day, all, cheapest, current, timeZone }: Table): string {
  const least = Math.min(0, ...all.map(({ price }) => price));
  const most = Math.max(...all.map(({ price }) => price));
  const widest = Math.max(...all.map(({ price }) => showPrice(price).length));
  return columns(
    day.points.map((point) => [
      `${localTime(timeZone, point.start).slice(11)}${cheapest.has(point) ? '*' : ' '}`,
      showPrice(point.price).padStart(widest),
      `${bar((point.price - least) / (most - least || 1), barWidth)}${point === current ? ' < now' : ''}`,
    ]),
  );
}
