import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type GoalChanges, type PlanGoals, previewPlan, updatePlanGoals } from '#contract/cloud/plans.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { ActionForm, Button, useAction, whileBusy } from '../../parts/action.tsx';
import { boundValue } from '../../parts/bound-value.ts';
import { DecimalField, Switch } from '../../parts/field.tsx';
import { Card, Failed, Notice } from '../../parts/layout.tsx';
import { money, texts } from '../../parts/text.ts';
import { hasKind } from '../bill/missing.tsx';
import { type Stored, storeIfUnchanged } from '../if-unchanged.ts';
import { api } from '../session.ts';
import { CarGoals } from './car-goals.tsx';
import { StorageFacts } from './storage-facts.tsx';

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
  save: 'Save goals',
  saved: 'Goals saved. A new plan follows within seconds.',
  cost: 'Show the cost',
  dearer: 'With these goals, the time until the end of the plan costs {amount} more.',
  cheaper: 'With these goals, the time until the end of the plan costs {amount} less.',
  same: 'These goals cost the same as the current ones.',
  mayNot: 'Only operators, admins and owners can change the goals.',
});

type Form = Pick<
  PlanGoals,
  'export_at_negative_price' | 'battery_for_car' | 'battery_to_grid' | 'cars' | 'storages'
> & {
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
  storages: form.storages,
});

/** Says what other goals cost, compared with the current ones. */
export function differenceWords(difference: number, currency: string): string {
  if (Math.abs(difference) < 0.005) return t('same');
  return t(difference > 0 ? 'dearer' : 'cheaper', { amount: money(Math.abs(difference), currency) });
}

type GoalsProps = {
  site: SiteDetails;
  goals: Stored<PlanGoals>;
  mayControl: boolean | undefined;
  /** whether the plan lacks something that may be entered here */
  isLacking: boolean;
  onSaved(): void;
};

/** The goals of a site as a form. */
export function GoalsCard({ site, goals, mayControl, isLacking, onSaved }: GoalsProps) {
  const unsaved = useSignal<Partial<Form>>({}); // kept when another card of the page changes other goals
  const form = (): Form => ({ ...formOf(goals), ...unsaved.value });
  useEffect(() => {
    const isSaved = JSON.stringify(goalsOf(form())) === JSON.stringify(goalsOf(formOf(goals)));
    if (isSaved) unsaved.value = {};
  }, [goals]);
  const params = { site_id: site.id };
  const save = useAction(async () => {
    await storeIfUnchanged(updatePlanGoals, { params, body: goalsOf(form()), etag: goals.etag });
    onSaved();
    return true;
  });
  const preview = useAction(() => api().call(previewPlan, { params, body: goalsOf(form()) }));
  const change = (changes: Partial<Form>): void => {
    unsaved.value = { ...unsaved.value, ...changes };
    preview.clear();
    if (save.result) save.clear();
  };
  const value = <Name extends keyof Form>(name: Name) =>
    boundValue(
      () => form()[name],
      (next) => change({ [name]: next }),
    );
  const ports = portsOf(site);
  const currency = preview.result?.plan.plan?.currency;
  return (
    <Card title={t('title')} says={t('says')}>
      {mayControl === false && <Notice>{t('mayNot')}</Notice>}
      <ActionForm
        does={save}
        submit={t('save')}
        isDisabled={mayControl === false}
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
          <CarGoals key={id} derId={id} name={name} cars={form().cars} set={(cars) => change({ cars })} />
        ))}
        <StorageFacts
          site={site}
          facts={form().storages}
          set={(storages) => change({ storages })}
          isAsked={isLacking}
        />
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
