import { useId } from 'preact/hooks';
import { mostCommandedW } from '#contract/command.ts';
import { power } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { useDecimal } from '../../parts/use-decimal.ts';

const t = texts({
  en: {
    exact: 'The same in watts',
    watts: 'W',
    known: 'It can do {most} at most.',
    unknown: 'What it can do at most is not known here; the gateway refuses what is too much.',
  },
  sv: {
    exact: 'Detsamma i watt',
    watts: 'W',
    known: 'Den klarar högst {most}.',
    unknown: 'Vad den klarar som mest är inte känt här; gatewayen nekar det som är för mycket.',
  },
});

const stepW = 50;

type Props = { label: string; watts: string; mostW: number; isKnown: boolean; onWatts(watts: string): void };

/** A power: by the slider roughly, as a number exactly. */
export function PowerField({ label, watts, mostW, isKnown, onWatts }: Props) {
  const id = useId();
  const words = power(watts === '' ? undefined : Number(watts));
  const exact = useDecimal({ value: watts, onValue: onWatts, min: 0, max: isKnown ? mostW : mostCommandedW });
  return (
    <div class="field">
      <label for={id}>
        {label}: <b>{words}</b>
      </label>
      <div class="power-field">
        <input
          id={id}
          type="range"
          min={0}
          max={mostW}
          step={stepW}
          value={watts}
          aria-valuetext={words}
          onInput={(event) => onWatts(event.currentTarget.value)}
        />
        <span>
          <input aria-label={t('exact')} aria-describedby={`${id}-says`} required {...exact.input} />
          {t('watts')}
        </span>
      </div>
      {exact.mistake && (
        <p class="mistake" role="alert">
          {exact.mistake}
        </p>
      )}
      <p class="says" id={`${id}-says`}>
        {isKnown ? t('known', { most: power(mostW) }) : t('unknown')}
      </p>
    </div>
  );
}
