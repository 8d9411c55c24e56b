import { formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { report } from '../line/report.ts';
import { formatLocalTime } from '../line/time.ts';
import { cheapestOf, fetchSpotPrices, marketZone, meanOf, priceAt, spotMetadata } from '../prices/price-day.ts';
import { located, locationOptions } from '../prices/price-options.ts';
import { describeArea, describeSource, formatPrice } from '../prices/price-words.ts';
import { columns } from '../terminal/output.ts';

const barWidth = 40;
const cheapHours = 3;

export const priceToday = report('price today', {
  summary: 'Show the spot prices of today, and of tomorrow once published',
  ...located,
  options: locationOptions,
  examples: ['price today', 'price today SE3', 'price today --site "My house" --json'],
  async run({ arguments: given, options }, shell) {
    const now = systemClock.now();
    const { answer, days: found, timeZone } = await fetchSpotPrices({ arguments: given, options }, shell);
    const days = found.map((day) => ({ ...day, cheapest: cheapestOf(day, cheapHours) }));
    const result = {
      ...spotMetadata(answer),
      days: days.map((day) => ({
        date: day.date,
        mean: Number(formatPrice(meanOf(day), 6)),
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
    const prices = days.flatMap(({ points }) => points.map(({ price }) => price));
    const least = Math.min(0, ...prices); // all days share one scale
    const most = Math.max(...prices);
    const widest = Math.max(...prices.map((price) => formatPrice(price).length));
    const tables = days.map((day) => {
      const head = `${day.date === today ? 'Today' : 'Tomorrow'}, ${day.date}: ${formatPrice(meanOf(day))} on average`;
      const rows = day.points.map((point) => [
        `${formatLocalTime(timeZone, point.start).slice(11)}${day.cheapest.has(point) ? '*' : ' '}`,
        formatPrice(point.price).padStart(widest),
        `${drawBar((point.price - least) / (most - least || 1), barWidth)}${point === current ? ' < now' : ''}`,
      ]);
      return `${head}\n${columns(rows)}`;
    });
    return {
      result,
      text: [
        `${describeArea(answer)}: ${answer.currency} for a kWh, spot, without VAT; times in ${timeZone}; * marks the cheapest`,
        ...tables,
        ...(days.some(({ date }) => date > today)
          ? []
          : ['Prices for tomorrow are not published yet; they are expected at about 13:00 Brussels time.']),
        describeSource(answer),
      ].join('\n\n'),
    };
  },
});

const eighths = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export function drawBar(fraction: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * width * 8);
  return '█'.repeat(Math.floor(filled / 8)) + (eighths[(filled % 8) - 1] ?? '');
}
