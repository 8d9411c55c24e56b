import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import {
  type AlertRule,
  type AlertRules,
  alertRuleNames,
  type SiteAlertRules,
  updateAlertRules,
} from '#contract/cloud/alerts.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { editable } from '../../parts/bound-value.ts';
import { DecimalField, Switch } from '../../parts/field.tsx';
import { Card, Notice } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  rules: 'Alerts you receive',
  rulesSays: 'At most one alert an hour of each kind.',
  gateway_silent: 'The gateway is silent',
  device_silent: 'A device is silent',
  near_fuse: 'The power is near the main fuse',
  near_fuseSays: 'Needs the main fuse in the site settings and a meter with phases.',
  new_peak: 'This hour is heading for a new peak of the month',
  new_peakSays: 'Needs a grid tariff with a power charge.',
  price_below: 'Electricity is cheap',
  price_above: 'Electricity is expensive',
  negative_price: 'Tomorrow has negative spot prices',
  battery_below: 'A battery is low',
  solar_low: 'The solar panels deliver little',
  solar_lowSays: 'Three days together below this share of the weakest three days of the four weeks before.',
  command_failed: 'A command failed',
  update_available: 'A gateway can be updated',
  after: 'Minutes of silence',
  fuseShare: 'Percent of the main fuse',
  below: 'Below, per kWh',
  above: 'Above, per kWh',
  charge: 'State of charge in percent',
  solarShare: 'Percent',
  save: 'Save rules',
  saved: 'Rules saved.',
  mayNot: 'Only admins and owners can change the rules.',
});

type Limit = { name: 'minutes' | 'percent' | 'price'; label: Parameters<typeof t>[0]; min: number; max: number };

const limits: Partial<Record<AlertRule, Limit>> = {
  gateway_silent: { name: 'minutes', label: 'after', min: 2, max: 1440 },
  device_silent: { name: 'minutes', label: 'after', min: 2, max: 1440 },
  near_fuse: { name: 'percent', label: 'fuseShare', min: 10, max: 150 },
  price_below: { name: 'price', label: 'below', min: -100, max: 1000 },
  price_above: { name: 'price', label: 'above', min: -100, max: 1000 },
  battery_below: { name: 'percent', label: 'charge', min: 1, max: 99 },
  solar_low: { name: 'percent', label: 'solarShare', min: 1, max: 100 },
};

const hints: Partial<Record<AlertRule, Parameters<typeof t>[0]>> = {
  near_fuse: 'near_fuseSays',
  new_peak: 'new_peakSays',
  solar_low: 'solar_lowSays',
};

type FormOfRule = { enabled: boolean; limit: string };
type Form = Record<AlertRule, FormOfRule>;
type Settings = { enabled: boolean } & Partial<Record<Limit['name'], number>>;

function formOf(rules: SiteAlertRules): Form {
  const formOfRule = (rule: AlertRule): FormOfRule => {
    const settings: Settings = rules[rule];
    const name = limits[rule]?.name;
    return { enabled: settings.enabled, limit: name ? String(settings[name] ?? '') : '' };
  };
  return Object.fromEntries(alertRuleNames.map((rule) => [rule, formOfRule(rule)])) as Form;
}

/** Returns the rules of a form; a limit that is empty stays as it is. */
function rulesOf(form: Form, known: SiteAlertRules): Partial<AlertRules> {
  return Object.fromEntries(
    alertRuleNames.map((rule) => {
      const { enabled, limit } = form[rule];
      const name = limits[rule]?.name;
      const value = name === 'price' ? Number(limit) : Math.round(Number(limit));
      return [rule, { ...known[rule], enabled, ...(name && limit !== '' && { [name]: value }) }];
    }),
  );
}

type RulesProps = { rules: SiteAlertRules; mayManage: boolean | undefined; again(): void };

/** The rules of a site as switches with their limits. */
export function RulesCard({ rules, mayManage, again }: RulesProps) {
  const form = useMemo(() => signal(formOf(rules)), [rules]);
  const change = (rule: AlertRule, changes: Partial<FormOfRule>): void => {
    form.value = { ...form.value, [rule]: { ...form.value[rule], ...changes } };
  };
  const save = useAction(async () => {
    await api().call(updateAlertRules, {
      params: { site_id: rules.site_id },
      body: rulesOf(form.value, rules),
    });
    again();
    return true;
  });
  const list = alertRuleNames.map((rule) => {
    const { enabled, limit } = form.value[rule];
    const { label, min, max } = limits[rule] ?? {};
    const hint = hints[rule];
    return (
      <li key={rule}>
        <Switch
          label={t(rule)}
          value={editable(enabled, (next) => change(rule, { enabled: next }))}
          isDisabled={mayManage === false}
        />
        {enabled && hint && <p class="says">{t(hint)}</p>}
        {enabled && mayManage !== false && label && min !== undefined && (
          <DecimalField
            label={t(label)}
            value={editable(limit, (next) => change(rule, { limit: next }))}
            min={min}
            max={max}
            required
          />
        )}
      </li>
    );
  });
  return (
    <Card title={t('rules')} says={t('rulesSays')}>
      {mayManage !== false ? (
        <ActionForm does={save} submit={t('save')}>
          <ul class="alert-rules">{list}</ul>
          {save.result && <Notice tone="good">{t('saved')}</Notice>}
        </ActionForm>
      ) : (
        <>
          <Notice>{t('mayNot')}</Notice>
          <ul class="alert-rules">{list}</ul>
        </>
      )}
    </Card>
  );
}
