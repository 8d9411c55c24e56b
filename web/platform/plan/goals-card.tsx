import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type GoalChanges, type PlanGoals, previewPlan, updatePlanGoals } from '#contract/cloud/plans.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { ActionForm, Button, useAction, whileBusy } from '../../parts/action.tsx';
import { boundValue, editable, included } from '../../parts/bound-value.ts';
import { DecimalField, Field, Switch } from '../../parts/field.tsx';
import { Card, Failed, Notice } from '../../parts/layout.tsx';
import { money, texts, weekday } from '../../parts/text.ts';
import { hasKind } from '../bill/missing.tsx';
import { api } from '../session.ts';

const t = texts({
  title: 'Goals',
  says: 'The plan lowers the cost as far as these goals allow.',
  reserve: 'Keep for outages (percent)',
  reserveSays: 'Batteries are not discharged below this.',
  limit: 'Stay below (kW)',
  limitSays: 'Highest power from the grid. Empty for no limit of your own.',
  negative: 'Sell also when the price is negative',
  forCar: 'The battery may charge the car',
  toGrid: 'The battery may sell to the grid',
  car: '{name} is ready on time',
  target: 'Charged to (percent)',
  by: 'Departure',
  days: 'Days of departure',
  save: 'Save goals',
  saved: 'Goals saved. A new plan follows within seconds.',
  cost: 'Show the cost',
  dearer: 'With these goals, the time until the end of the plan costs {amount} more.',
  cheaper: 'With these goals, the time until the end of the plan costs {amount} less.',
  same: 'These goals cost the same as the current ones.',
  mayNot: 'Only operators, admins and owners can change the goals.',
});

const monday = Date.UTC(2024, 0, 1);
const allDays = [1, 2, 3, 4, 5, 6, 7];
const usualCar = { target_pct: 80, by: '07:00', days: [1, 2, 3, 4, 5] };

type Car = PlanGoals['cars'][number];
type Form = Pick<PlanGoals, 'export_at_negative_price' | 'battery_for_car' | 'battery_to_grid' | 'cars'> & {
  reserve: string;
  limit: string;
};

const formOf = (goals: PlanGoals): Form => ({
  ...goals,
  reserve: String(goals.reserve_pct),
  limit: goals.max_import_w === null ? '' : String(goals.max_import_w / 1000),
});

const goalsOf = ({ reserve, limit, ...form }: Form): GoalChanges => ({
  reserve_pct: Number(reserve),
  max_import_w: limit === '' ? null : Math.round(Number(limit) * 1000),
  export_at_negative_price: form.export_at_negative_price,
  battery_for_car: form.battery_for_car,
  battery_to_grid: form.battery_to_grid,
  cars: form.cars.filter(({ days }) => days.length > 0),
});

/** Says what other goals cost, compared with the current ones. */
export function differenceWords(difference: number, currency: string): string {
  if (Math.abs(difference) < 0.005) return t('same');
  return t(difference > 0 ? 'dearer' : 'cheaper', { amount: money(Math.abs(difference), currency) });
}

type GoalsProps = { site: SiteDetails; goals: PlanGoals; mayControl: boolean; onSaved(): void };

/** The goals of a site as a form. */
export function GoalsCard({ site, goals, mayControl, onSaved }: GoalsProps) {
  const form = useMemo(() => signal(formOf(goals)), [goals]);
  const params = { site_id: site.id };
  const save = useAction(async () => {
    await api().call(updatePlanGoals, { params, body: goalsOf(form.value) });
    onSaved();
    return true;
  });
  const preview = useAction(() => api().call(previewPlan, { params, body: goalsOf(form.value) }));
  const change = (changes: Partial<Form>): void => {
    form.value = { ...form.value, ...changes };
    preview.clear();
    if (save.result) save.clear();
  };
  const value = <Name extends keyof Form>(name: Name) =>
    boundValue(
      () => form.value[name],
      (next) => change({ [name]: next }),
    );
  const ports = portsOf(site);
  const currency = preview.result?.plan.plan?.currency;
  return (
    <Card title={t('title')} says={t('says')}>
      {!mayControl && <Notice>{t('mayNot')}</Notice>}
      <ActionForm
        does={save}
        submit={t('save')}
        isDisabled={!mayControl}
        class="plan-goals"
        beside={<Button tone="plain" label={t('cost')} onClick={preview.run} {...whileBusy(preview)} />}
      >
        {hasKind(site, 'battery') && (
          <DecimalField {...t.field('reserve')} value={value('reserve')} min={0} max={100} required />
        )}
        <DecimalField {...t.field('limit')} value={value('limit')} min={0} max={10_000} />
        {hasKind(site, 'pv') && <Switch label={t('negative')} value={value('export_at_negative_price')} />}
        {hasKind(site, 'battery') && ports.length > 0 && (
          <Switch label={t('forCar')} value={value('battery_for_car')} />
        )}
        {hasKind(site, 'battery') && <Switch label={t('toGrid')} value={value('battery_to_grid')} />}
        {ports.map(({ id, name }) => (
          <CarGoals key={id} derId={id} name={name} cars={form.value.cars} set={(cars) => change({ cars })} />
        ))}
        {save.result && <Notice tone="good">{t('saved')}</Notice>}
        {preview.result && currency && <Notice>{differenceWords(preview.result.difference, currency)}</Notice>}
        <Failed problem={preview.problem} />
      </ActionForm>
    </Card>
  );
}

/** Lists the places where cars charge. */
export const portsOf = ({ devices }: SiteDetails): { id: string; name: string }[] =>
  devices
    .filter(({ state }) => state !== 'orphaned')
    .flatMap(({ name, ders }) => ders.filter(({ type }) => type === 'ev_charger_port').map(({ id }) => ({ id, name })));

type CarProps = { derId: string; name: string; cars: readonly Car[]; set(cars: Car[]): void };

/** The departures of a car: the first one can be edited here, others stay as they are. */
function CarGoals({ derId, name, cars, set }: CarProps) {
  const own = cars.findIndex(({ der_id }) => der_id === derId);
  const car = cars[own];
  const change = (changes: Partial<Car>): void =>
    set(cars.map((each, n) => (n === own ? { ...each, ...changes } : each)));
  const turn = (isOn: boolean): void =>
    set(isOn ? [...cars, { der_id: derId, ...usualCar }] : cars.filter(({ der_id }) => der_id !== derId));
  return (
    <fieldset class="plan-car">
      <legend class="hidden">{name}</legend>
      <Switch label={t('car', { name })} value={editable(car !== undefined, turn)} />
      {car && (
        <>
          <div class="plan-pair">
            <DecimalField
              label={t('target')}
              value={editable(String(car.target_pct), (text) => text !== '' && change({ target_pct: Number(text) }))}
              min={0}
              max={100}
              required
            />
            <Field type="time" label={t('by')} value={editable(car.by, (by) => change({ by }))} required />
          </div>
          <fieldset class="plan-days">
            <legend>{t('days')}</legend>
            {allDays.map((number) => (
              <DayBox
                key={number}
                label={weekday(monday + (number - 1) * 86_400_000, 'UTC')}
                value={included(
                  editable<readonly number[]>(car.days, (days) => change({ days: days.toSorted((a, b) => a - b) })),
                  number,
                )}
              />
            ))}
          </fieldset>
        </>
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
