import type { PartKind } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import { number, timeOfDay } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { PriceBars, type PriceBarsProps } from './price-bars.tsx';
import { partName, perKwh, timeSpan } from './price-words.ts';
import { extremesOf } from './slots.ts';

const t = texts({
  en: {
    summary: 'Cheapest {cheap} at {least}, dearest {dear} at {most}. Mean {mean}.',
    now: 'now',
    legend: 'What the colours mean',
    sum: 'Total',
    window: 'Cheapest window',
    unknown: 'Not known',
  },
  sv: {
    summary: 'Billigast {cheap} för {least}, dyrast {dear} för {most}. I medel {mean}.',
    now: 'nu',
    legend: 'Vad färgerna betyder',
    sum: 'Totalt',
    window: 'Billigaste perioden',
    unknown: 'Inte känt',
  },
});

const markEveryMs = 6 * hourMs;

/** One day: what to know about it in words, and its bars between their axes. */
export function DayChart(props: PriceBarsProps) {
  const { title, slots, shown, scale, nowMs, timeZone, currency } = props;
  const extremes = extremesOf(slots, shown);
  const price = (amount: number): string => perKwh(amount, currency);
  const [from, to] = [slots[0]!.start, slots.at(-1)!.end];
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
    ...kinds.map((kind) => [kind, partName(kind)]),
    ...(hasSums ? [['sum', t('sum')]] : []),
    ...(hasWindow ? [['window', t('window')]] : []),
    ...(hasUnknown ? [['unknown', t('unknown')]] : []),
  ] as [name: string, words: string][];
  return (
    <div class="price-legend">
      <span>{unit}</span>
      <ul aria-label={t('legend')}>
        {entries.map(([name, words]) => (
          <li key={name}>
            <span class={`price-swatch ${name}`} />
            {words}
          </li>
        ))}
      </ul>
    </div>
  );
}
