import { maxCarGoals, type PlanGoals } from '#contract/cloud/plans.ts';
import { Button } from '../../parts/action.tsx';
import { editable, included } from '../../parts/bound-value.ts';
import { DecimalField, Field, Switch } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { allDays, dayWords } from './day-words.ts';

const t = texts({
  car: '{name} is ready on time',
  departure: 'Departure {number}',
  target: 'Charged to (percent)',
  by: 'Departure',
  days: 'Days of departure',
  noDay: 'Choose a day: a departure without one is not saved.',
  add: 'Add a departure',
  removeThis: 'Remove departure {number}',
});

type Car = PlanGoals['cars'][number];

const workdays = [1, 2, 3, 4, 5];
const usual = { target_pct: 80, by: '07:00' };

type CarProps = { derId: string; name: string; cars: readonly Car[]; set(cars: Car[]): void };

/** Edits the departures of a car: each has a time, a level and its days of the week. */
export function CarGoals({ derId, name, cars, set }: CarProps) {
  const own = cars.flatMap((car, index) => (car.der_id === derId ? [{ car, index }] : []));
  const change = (index: number, changes: Partial<Car>): void =>
    set(cars.map((car, n) => (n === index ? { ...car, ...changes } : car)));
  const turn = (isOn: boolean): void =>
    set(isOn ? [...cars, { der_id: derId, ...usual, days: workdays }] : cars.filter(({ der_id }) => der_id !== derId));
  const add = (): void => {
    const taken = new Set(own.flatMap(({ car }) => car.days));
    set([...cars, { der_id: derId, ...usual, days: allDays.filter((day) => !taken.has(day)) }]);
  };
  return (
    <fieldset class="plan-car">
      <legend class="hidden">{name}</legend>
      <Switch label={t('car', { name })} value={editable(own.length > 0, turn)} />
      {own.map(({ car, index }, n) => (
        <fieldset class="plan-car" key={index}>
          <legend class={own.length > 1 ? '' : 'hidden'}>{t('departure', { number: n + 1 })}</legend>
          <div class="plan-pair">
            <DecimalField
              label={t('target')}
              value={editable(
                String(car.target_pct),
                (text) => text !== '' && change(index, { target_pct: Number(text) }),
              )}
              min={0}
              max={100}
              required
            />
            <Field type="time" label={t('by')} value={editable(car.by, (by) => change(index, { by }))} required />
          </div>
          <fieldset class="plan-days">
            <legend>{t('days')}</legend>
            {allDays.map((day) => (
              <DayBox
                key={day}
                label={dayWords([day])}
                value={included(
                  editable<readonly number[]>(car.days, (days) =>
                    change(index, { days: days.toSorted((a, b) => a - b) }),
                  ),
                  day,
                )}
              />
            ))}
          </fieldset>
          {car.days.length === 0 && <p class="says">{t('noDay')}</p>}
          {own.length > 1 && (
            <div class="actions">
              <Button
                tone="plain"
                label={t('remove')}
                ariaLabel={t('removeThis', { number: n + 1 })}
                onClick={() => set(cars.filter((_, other) => other !== index))}
              />
            </div>
          )}
        </fieldset>
      ))}
      {own.length > 0 && cars.length < maxCarGoals && (
        <div class="actions">
          <Button tone="plain" label={t('add')} onClick={add} />
        </div>
      )}
    </fieldset>
  );
}

const DayBox = ({ label, value }: { label: string; value: { value: boolean } }) => (
  <label>
    <input type="checkbox" checked={value.value} onChange={(event) => (value.value = event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);
