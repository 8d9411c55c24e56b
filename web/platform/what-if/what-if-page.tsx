import { useSignal } from '@preact/signals';
import { askWhatIf, type WhatIf } from '#contract/cloud/plans.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { whatIfSentences } from '#contract/what-if-sentences.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { DecimalField } from '../../parts/field.tsx';
import { KnownSentence } from '../../parts/known-sentence.tsx';
import { Card, Figure, PageHead, Table } from '../../parts/layout.tsx';
import { dateRange, energy, money, texts } from '../../parts/text.ts';
import { Gaps, gapsBefore } from '../bill/missing.tsx';
import { remark } from '../bill/remarks.ts';
import { EnergyTabs } from '../energy-tabs.tsx';
import { api } from '../session.ts';
import { sitePage } from '../site-page.tsx';
import { TariffChoice } from '../sites/tariff-choice.tsx';
import './what-if.css';

const t = texts({
  title: 'What if',
  says: 'The cost of the last year with another battery, roof or grid tariff, calculated from the energy measured in each quarter of an hour.',
  changes: 'Changes',
  changesSays: 'Empty fields change nothing.',
  battery: 'Battery (kWh)',
  batterySays: 'Usable capacity. 0 for no battery.',
  batteryPower: 'Power of the battery (kW)',
  batteryPowerSays: 'Without it, half of the capacity per hour.',
  solar: 'Solar panels (kW)',
  solarSays: 'Peak power of the whole roof. 0 for no panels.',
  asNow: 'As now',
  calculate: 'Calculate',
  wait: 'This takes a few seconds.',
  cost: 'Cost',
  actual: 'As it was',
  self: 'With the changes, battery for the house only',
  planned: 'With the changes and plans',
  bought: 'Bought',
  sold: 'Sold',
  case: 'Case',
  saves: 'You would have saved',
  more: 'You would have paid more',
  saysFor: '{range}, {actual} as it was',
  assumes: 'Assumptions',
});

const wattsOf = (kilo: string): number => Math.round(Number(kilo) * 1000);

export default sitePage(function WhatIfPage({ site }) {
  const gaps = gapsBefore(site);
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      <EnergyTabs siteId={site.id} />
      {gaps.length > 0 ? <Gaps siteId={site.id} of={gaps} /> : <Question site={site} />}
    </>
  );
});

function Question({ site }: { site: SiteDetails }) {
  const [battery, batteryPower, solar, tariff] = [useSignal(''), useSignal(''), useSignal(''), useSignal('')];
  const ask = useAction(() =>
    api().call(askWhatIf, {
      params: { site_id: site.id },
      body: {
        ...(battery.value !== '' && { battery_wh: wattsOf(battery.value) }),
        ...(batteryPower.value !== '' && { battery_w: wattsOf(batteryPower.value) }),
        ...(solar.value !== '' && { solar_w: wattsOf(solar.value) }),
        ...(tariff.value !== '' && { tariff_id: tariff.value }),
      },
    }),
  );
  const position = { latitude: String(site.latitude ?? ''), longitude: String(site.longitude ?? '') };
  return (
    <div class="what-if">
      <Card title={t('changes')} says={t('changesSays')}>
        <ActionForm does={ask} submit={t('calculate')} class="what-if-form">
          <DecimalField {...t.field('battery')} value={battery} min={0} max={1000} placeholder={t('asNow')} />
          <DecimalField {...t.field('batteryPower')} value={batteryPower} min={0} max={1000} placeholder={t('asNow')} />
          <DecimalField {...t.field('solar')} value={solar} min={0} max={1000} placeholder={t('asNow')} />
          <TariffChoice tariffId={tariff} position={position} form={site.id} notChosen={t('asNow')} />
        </ActionForm>
        {ask.isBusy && (
          <p class="says" role="status">
            {t('wait')}
          </p>
        )}
      </Card>
      {ask.result && <Answer found={ask.result} timeZone={site.timezone} />}
    </div>
  );
}

const cases = ['actual', 'self', 'planned'] as const;

function Answer({ found, timeZone }: { found: WhatIf; timeZone: string | undefined }) {
  const { currency, saved } = found;
  const outcomeOf = { actual: found.actual, self: found.self_consumption, planned: found.planned };
  const range = dateRange(Date.parse(found.from), Date.parse(found.to), timeZone);
  return (
    <Card title={t(saved < 0 ? 'more' : 'saves')}>
      <div role="status">
        <Figure
          label={t('planned')}
          value={money(Math.abs(saved), currency, 0)}
          more={t('saysFor', { range, actual: money(found.actual.total, currency, 0) })}
        />
      </div>
      <Table
        caption={t('cost')}
        rows={cases}
        keyOf={(name) => name}
        columns={[
          { title: t('case'), show: (name) => t(name) },
          { title: t('cost'), isNumber: true, show: (name) => money(outcomeOf[name].total, currency, 0) },
          { title: t('bought'), isNumber: true, show: (name) => energy(outcomeOf[name].import_wh) },
          { title: t('sold'), isNumber: true, show: (name) => energy(outcomeOf[name].export_wh) },
        ]}
      />
      <details class="details">
        <summary>{t('assumes')}</summary>
        <ul>
          {found.assumed.map((sentence) => (
            <li key={sentence}>{remark(sentence) ?? <KnownSentence text={sentence} among={whatIfSentences} />}</li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
