import type { ReadonlySignal, Signal } from '@preact/signals';
import { type ChartData, textOf } from './series.ts';
import { chartWords as t } from './words.ts';

type LegendProps = Pick<ChartData, 'label' | 'series' | 'format'> & {
  hidden: Signal<ReadonlySet<string>>;
  pointed: ReadonlySignal<number | undefined>;
};

/** The series by name, with their unit or the value that is pointed at; each can be hidden. */
export function Legend({ label, series, format, hidden, pointed }: LegendProps) {
  const toggle = (name: string): void => {
    const next = new Set(hidden.value);
    if (!next.delete(name)) next.add(name);
    hidden.value = next;
  };
  return (
    <ul class="chart-legend" aria-label={t('series', { label })}>
      {series.map((each) => {
        const { name, unit, colour, kind, dashed } = each;
        return (
          <li key={name}>
            <button type="button" aria-pressed={!hidden.value.has(name)} onClick={() => toggle(name)}>
              <span
                class={`swatch ${kind}${dashed ? ' dashed' : ''}`}
                style={{ '--swatch': `var(--${colour})` }}
                aria-hidden="true"
              />
              <span class="name">{name}</span>
              <span class="value number">
                {pointed.value === undefined ? unit : (textOf(each, pointed.value, format) ?? t('none'))}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
