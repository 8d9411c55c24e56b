import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { createCommand } from '#contract/cloud/commands.ts';
import { createOrder } from '#contract/cloud/orders.ts';
import { commandPower, maxCommandW, maxPowerOf } from '#contract/command.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { type EditableValue, editable } from '../../parts/bound-value.ts';
import { actionWords, effectWords } from '../../parts/command-words.ts';
import { useDecimal } from '../../parts/decimal.ts';
import { choicesOf, FieldFrame, Segments } from '../../parts/field.tsx';
import { power, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { type Controllable, clampPower, initialPower, powerRangeOf, type SiteControl } from './controllable.ts';
import { DurationField, durationOf, durationWords, useDuration } from './duration-field.tsx';

const t = texts({
  what: 'Action',
  most: 'Maximum power',
  after: 'The device then returns to automatic, even without an internet connection.',
  afterLong:
    'The device then returns to automatic. If the platform or the gateway fails, it does so within 20 minutes.',
  replaces: 'This replaces the active command.',
  exact: 'Power in watts',
  watts: 'W',
  known: 'Maximum {most}.',
  unknown: 'The device’s maximum power is unknown. The gateway rejects values that are too high.',
});

const stepW = 50;

type PowerFieldProps = { label: string; watts: EditableValue; maxW: number; isKnown: boolean };

/** A slider with a number field for exact values. */
function PowerField({ label, watts, maxW, isKnown }: PowerFieldProps) {
  const words = power(watts.value === '' ? undefined : Number(watts.value));
  const { input, mistake } = useDecimal({ value: watts, min: 0, max: isKnown ? maxW : maxCommandW });
  const says = isKnown ? t('known', { most: power(maxW) }) : t('unknown');
  const labelled = (
    <>
      {label}: <b>{words}</b>
    </>
  );
  return (
    <FieldFrame label={labelled} says={says} mistake={mistake}>
      {(id, describedBy) => (
        <div class="power-field">
          <input
            id={id}
            type="range"
            min={0}
            max={maxW}
            step={stepW}
            value={watts.value}
            aria-valuetext={words}
            onInput={(event) => (watts.value = event.currentTarget.value)}
          />
          <span>
            <input aria-label={t('exact')} aria-describedby={describedBy} required {...input} />
            {t('watts')}
          </span>
        </div>
      )}
    </FieldFrame>
  );
}

type Props = { part: Controllable; isActive: boolean; control: SiteControl };

export function CommandForm({ part, isActive, control }: Props) {
  const { id: der_id, type, ways } = part;
  const { site } = control;
  const reading = control.readings.get(der_id);
  const typed = useSignal<string | undefined>(undefined);
  const way = useSignal(ways[0]);
  const { maxW, isKnown } = powerRangeOf(maxPowerOf(reading, way.value === 'discharge'));
  const watts = editable(typed.value ?? String(initialPower(maxW)), (given) => (typed.value = given));
  const choices = useDuration();
  const hasPrices = site.price_area !== undefined || site.latitude !== undefined;
  const asked = { way: way.value, reading, hasPrices };
  const duration = durationOf(choices, asked);
  const power_w = commandPower(way.value, Number(watts.value));
  useEffect(() => {
    const given = typed.peek();
    if (given !== undefined) typed.value = clampPower(given, { maxW, isKnown });
  }, [maxW, isKnown]);
  const send = useAction(async () => {
    if (!duration) return;
    const params = { der_id };
    if ('ttl_s' in duration) {
      control.addCommand(await api().call(createCommand, { params, body: { power_w, ...duration } }));
    } else {
      control.addOrder(await api().call(createOrder, { params, body: { power_w, ...duration.order } }));
    }
  });
  const isGiven = way.value === 'idle' || watts.value !== '';
  const effect = durationWords(duration, effectWords(type, power_w), site.timezone);
  return (
    <ActionForm does={send} submit={t('sendCommand')} isDisabled={!duration} class="command-form">
      {ways.length > 1 && <Segments label={t('what')} value={way} choices={choicesOf(ways, actionWords)} />}
      {way.value !== 'idle' && (
        <PowerField label={t(way.value === 'curtail' ? 'most' : 'power')} watts={watts} maxW={maxW} isKnown={isKnown} />
      )}
      <DurationField choices={choices} asked={asked} />
      {isGiven && effect && (
        <p class="effect">
          {effect} {t(duration && 'ttl_s' in duration ? 'after' : 'afterLong')} {isActive && t('replaces')}
        </p>
      )}
    </ActionForm>
  );
}
