import type { PartKind } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import { number, timeOfDay } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { PriceBars, type PriceBarsProps } from './price-bars.tsx';
import { partName, perKwh, timeSpan } from './price-words.ts';
import { extremesOf, windowOf } from './slots.ts';

const t = texts({
  summary: [
    'Lowest {least} ({cheap}), highest {most} ({dear}), average {mean}.',
    'Lägst {least} ({cheap}), högst {most} ({dear}), medel {mean}.',
  ],
  now: ['now', 'nu'],
  legend: ['Legend', 'Teckenförklaring'],
  sum: ['Total', 'Totalt'],
  window: ['Cheapest time', 'Billigaste tiden'],
  unknown: ['Unknown', 'Okänt'],
});

const markEveryMs = 6 * hourMs;

/** Shows one day: a summary and the bars with their axes. */
export function DayChart(props: PriceBarsProps) {
  const { title, slots, shown, scale, nowMs, timeZone, currency } = props;
  const extremes = extremesOf(slots, shown);
  const price = (amount: number): string => perKwh(amount, currency);
  const { start: from, end: to } = windowOf(slots);
  const across = (ms: number): string => `${((ms - from) / (to - from)) * 100}%`;
  const marks = slots
    .filter(({ start, end }) => wallAt(timeZone, start) % markEveryMs < end - start)
    .map(({ start }) => start);
  return (
    <section class="price-day">
      <h3>{title}</h3>
      {extremes && (
        <p class="says">
          {t('summary', {
            cheap: timeSpan(extremes.cheapest.start, extremes.cheapest.end, timeZone),
            least: price(extremes.cheapest.amount),
            dear: timeSpan(extremes.dearest.start, extremes.dearest.end, timeZone),
            most: price(extremes.dearest.amount),
            mean: price(extremes.mean),
          })}
        </p>
      )}
      <div class="price-frame">
        <div class="price-ticks" aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${((tick - scale.low) / (scale.high - scale.low)) * 100}%` }}>
              {number(tick, scale.digits)}
            </span>
          ))}
        </div>
        <PriceBars {...props} />
        <div class="price-hours" aria-hidden="true">
          {marks.map((ms) => (
            <span key={ms} style={{ left: across(ms) }}>
              {timeOfDay(ms, timeZone)}
            </span>
          ))}
        </div>
        {from <= nowMs && nowMs < to && (
          <div class="price-now" aria-hidden="true">
            <span style={{ left: across(nowMs) }}>{t('now')}</span>
          </div>
        )}
      </div>
    </section>
  );
}

type LegendProps = {
  unit: string;
  kinds: readonly PartKind[];
  hasSums: boolean;
  hasWindow: boolean;
  hasUnknown: boolean;
};

export function Legend({ unit, kinds, hasSums, hasWindow, hasUnknown }: LegendProps) {
  const entries = [
    ...kinds.map((kind) => ({ name: kind, label: partName(kind) })),
    ...(hasSums ? [{ name: 'sum', label: t('sum') }] : []),
    ...(hasWindow ? [{ name: 'window', label: t('window') }] : []),
    ...(hasUnknown ? [{ name: 'unknown', label: t('unknown') }] : []),
  ];
  return (
    <div class="price-legend">
      <span>{unit}</span>
      <ul aria-label={t('legend')}>
        {entries.map(({ name, label }) => (
          <li key={name}>
            <span class={`price-swatch ${name}`} />
            {label}
          </li>
        ))}
      </ul>
    </div>
  );
}
