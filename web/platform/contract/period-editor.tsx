import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { ContractPeriod } from '#contract/price/contract.ts';
import { Problem } from '#contract/problem.ts';
import { ActionForm, Button, useAction } from '../../parts/action.tsx';
import { boundValue, type EditableValue, editable } from '../../parts/bound-value.ts';
import { choicesOf, DecimalField, Field, Segments, Switch } from '../../parts/field.tsx';
import { readStored, store } from '../../parts/storage.ts';
import { money, number, texts } from '../../parts/text.ts';
import { TariffChoice } from '../sites/tariff-choice.tsx';
import {
  type FormField,
  type FormTerms,
  fieldAt,
  formOf,
  mistakesOf,
  otherSide,
  type PeriodForm,
  periodOf,
  withVat,
} from './period-form.ts';

const t = texts({
  from: 'Valid from',
  fromSays: 'The first day. The period ends where the next one begins.',
  supplier: 'Electricity supplier (optional)',
  amounts: 'Amounts of the supplier',
  with: 'Including VAT',
  without: 'Excluding VAT',
  pricing: 'Electricity price',
  spot: 'Spot price',
  fixed: 'Fixed price',
  ofSupplier: 'Supplier',
  sold: 'Sold electricity',
  grid: 'Grid',
  fixedPrice: 'Fixed price ({unit}/kWh)',
  markup: 'Markup ({unit}/kWh)',
  markupSays: 'All surcharges per kWh together, such as certificates and balancing.',
  fee: 'Monthly fee ({currency})',
  vat: 'VAT (%)',
  vatSays: 'Leave empty for {percent}%.',
  isWithout: '{amount} excluding VAT.',
  isWith: '{amount} including VAT.',
  export_pricing: 'Payment for sold electricity',
  adjustment: 'Added to the spot price ({unit}/kWh)',
  adjustmentSays: 'Negative if the buyer keeps a part, such as −2.',
  exportPrice: 'Fixed payment ({unit}/kWh)',
  benefit: 'Grid benefit compensation ({unit}/kWh)',
  benefitSays: 'Paid by the grid operator for each kWh that you sell.',
  reduction: 'Tax reduction ({unit}/kWh)',
  reductionSays: 'For each sold kWh, at most as many as you buy. In Sweden it was 60 öre until the end of 2025.',
  limit: 'Limit of the tax reduction (kWh per year)',
  withoutVat: 'Private persons receive these amounts without VAT.',
  support: 'Norwegian electricity support (strømstøtte)',
  fuse: 'Main fuse (A)',
  gridSays: 'Only if they differ from the site settings in this period.',
  asSite: 'As in the site settings',
  save: 'Save period',
  cancel: 'Cancel',
  noDate: 'Enter a day, such as 2026-01-01.',
  sameDate: 'Another period begins on this day. Change that one, or choose another day.',
  noFixedPrice: 'Enter the fixed price.',
  noExportPrice: 'Enter the payment per kWh.',
});

const vatChoice = 'contract-vat';

/** Whether the person wants to see the amounts of suppliers with VAT. */
export const prefersVat = (): boolean => readStored(vatChoice) !== 'without';

type EditorProps = {
  site: SiteDetails;
  terms: FormTerms & { currency: string };
  /** with which the form starts */
  period: ContractPeriod;
  /** all stored periods except this one */
  others: readonly ContractPeriod[];
  onSave(period: ContractPeriod): Promise<void>;
  onCancel(): void;
};

/** The form of one contract period. Entries stay in it until they are stored. */
export function PeriodEditor({ site, terms, period, others, onSave, onCancel }: EditorProps) {
  const form = useSignal(useMemo(() => formOf(period, prefersVat(), terms), []));
  const place = useRef<HTMLDivElement>(null);
  const isTried = useSignal(false);
  const otherDates = others.map(({ valid_from }) => valid_from);
  const mistakes = mistakesOf(form.value, otherDates);
  const save = useAction(async () => {
    isTried.value = true;
    if (Object.keys(mistakes).length === 0) return onSave(periodOf(form.value, terms));
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  });
  const index = otherDates.filter((date) => date < form.value.valid_from).length;
  const refused = refusalsOf(save.problem, index);
  const set = (changes: Partial<PeriodForm>): void => {
    form.value = { ...form.value, ...changes };
  };
  const field = (name: FormField): { value: EditableValue; mistake: string | undefined } => {
    const mistake = isTried.value ? mistakes[name] : undefined;
    const value = boundValue(
      () => form.value[name],
      (text) => set({ [name]: text }),
    );
    return { value, mistake: mistake ? t(mistake) : refused.get(name) };
  };
  const { pricing, export_pricing, isWithVat } = form.value;
  const { currency, smallChange } = terms;
  const unit = smallChange.name;
  const perKwh = { min: -100 * smallChange.perUnit, max: 100 * smallChange.perUnit };
  const paidPerKwh = { min: 0, max: perKwh.max };
  const other = (name: 'fixed_price' | 'markup' | 'monthly_fee'): string | undefined => {
    if (form.value[name] === '') return undefined;
    const amount = Number(otherSide(form.value, name, terms));
    const words = name === 'monthly_fee' ? money(amount, currency) : `${number(amount, 2)} ${unit}/kWh`;
    return t(isWithVat ? 'isWithout' : 'isWith', { amount: words });
  };
  const chooseVat = (chosen: 'with' | 'without'): void => {
    store(vatChoice, chosen);
    form.value = withVat(form.value, chosen === 'with', terms);
  };
  const position = { latitude: String(site.latitude ?? ''), longitude: String(site.longitude ?? '') };
  return (
    <div ref={place}>
      <ActionForm
        does={save}
        submit={t('save')}
        class="contract-form"
        beside={<Button label={t('cancel')} onClick={onCancel} />}
      >
        <Group title={t('ofSupplier')}>
          <Field {...t.field('from')} {...field('valid_from')} type="date" />
          <Field label={t('supplier')} {...field('supplier')} maxLength={128} />
          <Labelled label={t('amounts')}>
            <Segments
              label={t('amounts')}
              value={editable(isWithVat ? 'with' : 'without', chooseVat)}
              choices={choicesOf(['with', 'without'], t)}
            />
          </Labelled>
          <Labelled label={t('pricing')}>
            <Segments
              label={t('pricing')}
              value={editable(pricing, (chosen) => set({ pricing: chosen }))}
              choices={choicesOf(['spot', 'fixed'], t)}
            />
          </Labelled>
          {pricing === 'fixed' && (
            <DecimalField
              label={t('fixedPrice', { unit })}
              says={other('fixed_price')}
              {...field('fixed_price')}
              {...perKwh}
            />
          )}
          <DecimalField
            label={t('markup', { unit })}
            says={[other('markup'), t('markupSays')].filter(Boolean).join(' ')}
            {...field('markup')}
            {...perKwh}
          />
          <DecimalField
            label={t('fee', { currency })}
            says={other('monthly_fee')}
            {...field('monthly_fee')}
            min={0}
            max={100_000}
          />
          <DecimalField
            label={t('vat')}
            says={t('vatSays', { percent: number(terms.vatPercent, terms.vatPercent % 1 === 0 ? 0 : 1) })}
            {...field('vat_percent')}
            min={0}
            max={100}
          />
          {(form.value.hasSupport || currency === 'NOK') && (
            <Switch label={t('support')} value={editable(form.value.hasSupport, (has) => set({ hasSupport: has }))} />
          )}
        </Group>
        <Group title={t('sold')} says={t('withoutVat')}>
          <Labelled label={t('export_pricing')}>
            <Segments
              label={t('export_pricing')}
              value={editable(export_pricing, (chosen) => set({ export_pricing: chosen }))}
              choices={choicesOf(['spot', 'fixed'], t)}
            />
          </Labelled>
          {export_pricing === 'spot' ? (
            <DecimalField
              label={t('adjustment', { unit })}
              says={t('adjustmentSays')}
              {...field('export_adjustment')}
              {...perKwh}
            />
          ) : (
            <DecimalField label={t('exportPrice', { unit })} {...field('export_price')} {...perKwh} />
          )}
          <DecimalField
            label={t('benefit', { unit })}
            says={t('benefitSays')}
            {...field('grid_benefit')}
            {...paidPerKwh}
          />
          <DecimalField
            label={t('reduction', { unit })}
            says={t('reductionSays')}
            {...field('tax_reduction')}
            {...paidPerKwh}
          />
          {form.value.tax_reduction !== '' && (
            <DecimalField label={t('limit')} {...field('tax_reduction_kwh')} min={0} max={1e6} placeholder="30000" />
          )}
        </Group>
        <Group title={t('grid')} says={t('gridSays')}>
          <TariffChoice tariffId={field('tariff_id').value} position={position} form={form} notChosen={t('asSite')} />
          <DecimalField label={t('fuse')} {...field('fuse_a')} min={1} max={10_000} />
        </Group>
      </ActionForm>
    </div>
  );
}

/** Returns the errors of a refused request by field. They are in English, as all details of the platform. */
function refusalsOf(problem: unknown, index: number): Map<FormField, string> {
  const refused = new Map<FormField, string>();
  if (!(problem instanceof Problem)) return refused;
  for (const { path, message } of problem.details.errors ?? []) {
    const name = fieldAt(path, index);
    if (name) refused.set(name, message);
  }
  return refused;
}

function Group({ title, says, children }: { title: string; says?: string; children: ComponentChildren }) {
  return (
    <fieldset class="contract-group">
      <legend>{title}</legend>
      {says && <p class="says">{says}</p>}
      <div class="site-fields">{children}</div>
    </fieldset>
  );
}

/** Shows the label of segments, which have it for screen readers already. */
const Labelled = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="field">
    <span class="contract-label" aria-hidden="true">
      {label}
    </span>
    {children}
  </div>
);
