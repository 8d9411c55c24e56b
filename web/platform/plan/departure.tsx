import { useSignal } from '@preact/signals';
import { type PlanGoals, previewPlan, updatePlanGoals } from '#contract/cloud/plans.ts';
import { Button, useAction, whileBusy } from '../../parts/action.tsx';
import { Failed } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import { type Stored, storeIfUnchanged } from '../if-unchanged.ts';
import { api } from '../session.ts';
import { dayWords } from './day-words.ts';
import { differenceWords } from './goals-card.tsx';

const t = texts({
  departure: 'Departure of {name}, {days}',
  says: 'Drag to another time, or use the arrow keys, to see what it costs.',
  keep: 'Keep {time}',
  back: 'Back to {time}',
  calculating: 'Calculating…',
});

const quarters = 96;
const quarterOf = (time: string): number => Number(time.slice(0, 2)) * 4 + Math.round(Number(time.slice(3)) / 15);
const timeOf = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;

type DepartureProps = {
  goals: Stored<PlanGoals>;
  index: number;
  name: string;
  mayControl: boolean | undefined;
  onSaved(): void;
};

/** Moves the departure of a car, and shows what another one costs before it is kept. */
export function Departure({ goals, index, name, mayControl, onSaved }: DepartureProps) {
  const { by, days } = goals.cars[index]!;
  const moved = useSignal<string | undefined>(undefined);
  const shown = moved.value ?? by;
  const params = { site_id: goals.site_id };
  const body = () => ({ cars: goals.cars.map((car, n) => (n === index ? { ...car, by: shown } : car)) });
  const preview = useAction(() => api().call(previewPlan, { params, body: body() }));
  const keep = useAction(async () => {
    await storeIfUnchanged(updatePlanGoals, { params, body: body(), etag: goals.etag });
    moved.value = undefined;
    preview.clear();
    onSaved();
  });
  const currency = preview.result?.plan.plan?.currency;
  const isMoved = shown !== by;
  const label = t('departure', { name, days: dayWords(days) });
  return (
    <div class="plan-departure">
      <p>
        {label} <b>{shown}</b>
      </p>
      <input
        type="range"
        aria-label={label}
        min={0}
        max={quarters - 1}
        value={quarterOf(shown)}
        aria-valuetext={shown}
        disabled={mayControl === false}
        onInput={(event) => {
          moved.value = timeOf(Number(event.currentTarget.value));
          preview.clear();
        }}
        onChange={() => void preview.run()}
      />
      <p class="says" role="status">
        {preview.isBusy
          ? t('calculating')
          : isMoved && preview.result && currency
            ? differenceWords(preview.result.difference, currency)
            : t('says')}
      </p>
      <Failed problem={preview.problem} />
      {isMoved && (
        <div class="actions">
          <Button tone="main" label={t('keep', { time: shown })} onClick={keep.run} {...whileBusy(keep)} />
          <Button
            tone="plain"
            label={t('back', { time: by })}
            onClick={() => {
              moved.value = undefined;
              preview.clear();
            }}
          />
        </div>
      )}
      <Failed problem={keep.problem} />
    </div>
  );
}
