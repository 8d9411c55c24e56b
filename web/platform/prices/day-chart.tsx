import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { PartKind } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import { pointProps } from '../../parts/pointing.ts';
import { number, texts, timeOfDay } from '../../parts/text.ts';
import { partName, perKwh, timeSpan } from './price-words.ts';
import {
  amountOf,
  blocksOf,
  crossesZero,
  extremesOf,
  type PriceScale,
  type PriceSlot,
  type PriceWindow,
  type ShownPrice,
  windowOf,
} from './slots.ts';

const t = texts({
  summary: 'Lowest {least} ({cheap}), highest {most} ({dear}), average {mean}.',
  now: 'now',
  unknown: 'Unknown',
  bars: 'Prices, {day}. Use the arrow keys to move between bars and Escape to return to now.',
  unknownPrice: 'unknown',
  inWindow: 'cheapest time',
});

const markEveryMs = 6 * hourMs;

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
    ...(hasSums ? [{ name: 'sum', label: t('total') }] : []),
    ...(hasWindow ? [{ name: 'window', label: t('cheapestTime') }] : []),
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

type PriceBarsProps = {
  title: string;
  slots: readonly PriceSlot[];
  shown: ShownPrice;
  scale: PriceScale;
  /** start of the selected slot; undefined selects the current one */
  chosen: Signal<number | undefined>;
  nowMs: number;
  window: PriceWindow | undefined;
  timeZone: string | undefined;
  currency: string;
};

const contains = ({ start, end }: PriceWindow, ms: number): boolean => start <= ms && ms < end;

function PriceBars(props: PriceBarsProps) {
  const { title, slots, shown, scale, chosen, nowMs, window, timeZone, currency } = props;
  const id = useId();
  const count = slots.length;
  const day = windowOf(slots);
  const across = (ms: number): number => Math.min(Math.max((ms - day.start) / (day.end - day.start), 0), 1) * count;
  const down = (price: number): number => ((scale.high - price) / (scale.high - scale.low)) * 100;
  const at = slots.findIndex((slot) => contains(slot, chosen.value ?? nowMs));

  const choose = (index: number): void => {
    const slot = slots[Math.min(Math.max(index, 0), count - 1)];
    if (slot) chosen.value = slot.start;
  };
  const point = (share: number): void => choose(Math.floor(share * count));
  const keys: Record<string, () => void> = {
    ArrowLeft: () => choose(at < 0 ? count - 1 : at - 1),
    ArrowRight: () => choose(at + 1),
    Home: () => choose(0),
    End: () => choose(count - 1),
    Escape: () => (chosen.value = undefined),
  };
  const words = (slot: PriceSlot): string =>
    [
      timeSpan(slot.start, slot.end, timeZone),
      slot.interval ? perKwh(amountOf(slot.interval, shown), currency) : t('unknownPrice'),
      ...(contains(slot, nowMs) ? [t('now')] : []),
      ...(window && contains(window, slot.start) ? [t('inWindow')] : []),
    ].join(', ');

  return (
    <div
      class="price-bars"
      role="listbox"
      aria-label={t('bars', { day: title })}
      aria-orientation="horizontal"
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      tabIndex={0}
      {...pointProps({ point, keys })}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the list around it has the name, its bars have theirs */}
      <svg viewBox={`0 0 ${count} 100`} preserveAspectRatio="none">
        {scale.ticks.map((tick) => (
          <line key={tick} class={tick === 0 ? 'zero' : 'tick'} x2={count} y1={down(tick)} y2={down(tick)} />
        ))}
        {window && across(window.start) < across(window.end) && (
          <rect
            class="window"
            x={across(window.start)}
            width={across(window.end) - across(window.start)}
            height={100}
          />
        )}
        {slots.map((slot, n) => (
          <g
            key={slot.start}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            aria-label={words(slot)}
            class={slot.end <= nowMs ? 'past' : undefined}
            onClick={() => choose(n)}
          >
            <rect class={n === at ? 'chosen' : 'hit'} x={n} width={1} height={100} />
            <Bar slot={slot} at={n} shown={shown} down={down} />
          </g>
        ))}
        {contains(day, nowMs) && <line class="now" x1={across(nowMs)} x2={across(nowMs)} y2={100} />}
      </svg>
    </div>
  );
}

const gap = 0.12; // of the bar width

type BarProps = { slot: PriceSlot; at: number; shown: ShownPrice; down(price: number): number };

function Bar({ slot: { interval }, at, shown, down }: BarProps) {
  const across = { x: at + gap / 2, width: 1 - gap };
  if (!interval) return <rect class="unknown" {...across} y={90} height={10} />;
  const blocks = blocksOf(interval, shown);
  return (
    <>
      {blocks.map(({ kind, from, to }) => (
        <rect
          key={kind}
          class={kind}
          {...across}
          y={down(Math.max(from, to))}
          height={Math.abs(down(from) - down(to))}
        />
      ))}
      {crossesZero(blocks) && (
        <line class="sum" x1={at} x2={at + 1} y1={down(interval.total)} y2={down(interval.total)} />
      )}
    </>
  );
}
