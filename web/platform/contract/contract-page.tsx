import { useSignal } from '@preact/signals';
import { getContract, type SiteContract, updateContract } from '#contract/cloud/contract.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type ContractPeriod, mostContractPeriods } from '#contract/price/contract.ts';
import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { Button, ConfirmButton } from '../../parts/action.tsx';
import { Card, Empty, type Fact, Facts, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { LinkButton } from '../../parts/router.tsx';
import { date, money, number, texts } from '../../parts/text.ts';
import { EnergyTabs } from '../energy-tabs.tsx';
import { loadStored, type Stored, storeIfUnchanged } from '../if-unchanged.ts';
import { smallChangeOf } from '../market/small-change.ts';
import { loadTotal, priceApi, termsOfSite } from '../market/total-price.ts';
import { useMay } from '../permissions.ts';
import { sitePage } from '../site-page.tsx';
import { PeriodEditor, prefersVat } from './period-editor.tsx';
import type { FormTerms } from './period-form.ts';
import '../sites/sites.css';
import './contract.css';

const t = texts({
  title: 'Contract',
  says: 'Fees and prices of your electricity supplier, as on the invoice. Bills and savings are calculated with them.',
  settings: 'Site settings',
  noArea: 'Choose a price area first',
  noAreaSays: 'It determines the currency, the spot price and the taxes.',
  none: 'No contract entered yet',
  noneSays:
    'Until then, bills have the spot price without a markup or monthly fee, and sold electricity is paid at the spot price.',
  first: 'Enter contract',
  add: 'Add a period',
  addSays:
    'Add a period when something changes, such as the markup or the supplier. Earlier bills keep the earlier prices.',
  full: 'A contract can have at most {count} periods.',
  mayNot: 'Only admins and owners can change the contract.',
  new: 'New period',
  since: 'From {from}',
  between: '{from} – {to}',
  current: 'In effect',
  coming: 'Coming',
  ended: 'Ended',
  change: 'Change',
  changeThis: 'Change the period from {from}',
  removeThis: 'Remove the period from {from}',
  removeTitle: 'Remove the period from {from}?',
  removeSays: 'The period before it then continues. Bills of these days change.',
  saved: 'Contract saved.',
  supplier: 'Supplier',
  pricing: 'Electricity price',
  spot: 'Spot price',
  fixed: '{price} (fixed)',
  markup: 'Markup',
  fee: 'Monthly fee',
  vat: 'VAT',
  sold: 'Sold electricity',
  spotPlus: 'Spot price + {price}',
  spotMinus: 'Spot price − {price}',
  benefit: 'Grid benefit compensation',
  reduction: 'Tax reduction',
  support: 'Support',
  stromstotte: 'Norwegian electricity support (strømstøtte)',
  ownTariff: 'of this period',
  fuse: 'Main fuse (A)',
  with: 'Amounts of the supplier are shown including VAT.',
  without: 'Amounts of the supplier are shown excluding VAT.',
});

type MarketTerms = FormTerms & { currency: string };

export default sitePage(function ContractPage({ site }) {
  const mayManage = useMay(site.org_id, 'manage');
  const contract = useLoad((signal) => loadStored(getContract, { params: { site_id: site.id }, signal }), [site.id]);
  const market = useLoad(async (signal) => (await loadMarket(site, signal)) ?? null, [site.id, site.price_area]);
  return (
    <>
      <PageHead title={t('title')} says={t('says')}>
        <LinkButton to={`/app/sites/${site.id}/settings`} label={t('settings')} />
      </PageHead>
      <EnergyTabs siteId={site.id} />
      <Loaded from={market}>
        {(terms) =>
          terms ? (
            <Loaded from={contract}>
              {(stored) => (
                <Periods site={site} terms={terms} stored={stored} mayManage={mayManage} onSaved={contract.again} />
              )}
            </Loaded>
          ) : (
            <Empty title={t('noArea')} says={t('noAreaSays')}>
              <LinkButton tone="main" to={`/app/sites/${site.id}/settings`} label={t('settings')} />
            </Empty>
          )
        }
      </Loaded>
    </>
  );
});

/** Loads the currency and VAT of a site's market; undefined without a price area. */
async function loadMarket(site: SiteDetails, signal: AbortSignal): Promise<MarketTerms | undefined> {
  const terms = termsOfSite(site);
  if (!terms) return undefined;
  const { price } = await loadTotal(priceApi, {}, terms, signal);
  const { currency, metadata } = price;
  return { currency, smallChange: smallChangeOf(currency), vatPercent: metadata.vat_percent };
}

type PeriodsProps = {
  site: SiteDetails;
  terms: MarketTerms;
  stored: Stored<SiteContract>;
  mayManage: boolean | undefined;
  onSaved(): void;
};

/** Lists the periods, the newest first; one of them, or a new one, can be edited. */
function Periods({ site, terms, stored: { periods, etag }, mayManage, onSaved }: PeriodsProps) {
  const edited = useSignal<string | undefined>(undefined); // first day of a period, or `new`
  const isSaved = useSignal(false);
  const today = dateAt(site.timezone, now.value);
  const put = async (next: readonly ContractPeriod[]): Promise<void> => {
    const sorted = next.toSorted((a, b) => a.valid_from.localeCompare(b.valid_from));
    await storeIfUnchanged(updateContract, { params: { site_id: site.id }, body: { periods: sorted }, etag });
    edited.value = undefined;
    isSaved.value = true;
    onSaved();
  };
  const edit = (which: string | undefined): void => {
    edited.value = which;
    isSaved.value = false;
  };
  const editor = (period: ContractPeriod, others: readonly ContractPeriod[]) => (
    <PeriodEditor
      key={edited.value}
      {...{ site, terms, period, others }}
      onSave={(saved) => put([...others, saved])}
      onCancel={() => edit(undefined)}
    />
  );
  const isFull = periods.length >= mostContractPeriods;
  const canAdd = mayManage === true && edited.value === undefined && !isFull;
  return (
    <>
      {mayManage === false && <Notice>{t('mayNot')}</Notice>}
      {isSaved.value && <Notice tone="good">{t('saved')}</Notice>}
      {edited.value === 'new' && (
        <Card title={t('new')}>{editor({ pricing: 'spot', ...periods.at(-1), valid_from: today }, periods)}</Card>
      )}
      {periods.length === 0 && edited.value === undefined && (
        <Empty title={t('none')} says={t('noneSays')}>
          {mayManage && <Button tone="main" label={t('first')} onClick={() => edit('new')} />}
        </Empty>
      )}
      {canAdd && periods.length > 0 && (
        <div class="actions">
          <Button tone="main" label={t('add')} onClick={() => edit('new')} />
          <span class="says">{t('addSays')}</span>
        </div>
      )}
      {isFull && <p class="says">{t('full', { count: mostContractPeriods })}</p>}
      {periods
        .map((period, n) => ({ period, next: periods[n + 1]?.valid_from }))
        .toReversed()
        .map(({ period, next }) => {
          const { valid_from } = period;
          const others = periods.filter((each) => each !== period);
          const from = dayText(valid_from);
          return (
            <Card
              key={valid_from}
              title={next === undefined ? t('since', { from }) : t('between', { from, to: dayText(addDays(next, -1)) })}
              beside={<Tense from={valid_from} next={next} today={today} />}
            >
              {edited.value === valid_from ? (
                editor(period, others)
              ) : (
                <>
                  <Facts of={factsOf(period, terms)} />
                  {mayManage && edited.value === undefined && (
                    <div class="actions">
                      <Button
                        label={t('change')}
                        ariaLabel={t('changeThis', { from })}
                        onClick={() => edit(valid_from)}
                      />
                      <ConfirmButton
                        label={t('remove')}
                        ariaLabel={t('removeThis', { from })}
                        title={t('removeTitle', { from })}
                        says={t('removeSays')}
                        work={() => put(others)}
                      />
                    </div>
                  )}
                </>
              )}
            </Card>
          );
        })}
      {periods.length > 0 && <p class="says">{t(prefersVat() ? 'with' : 'without')}</p>}
    </>
  );
}

const dayText = (day: string): string => date(Date.parse(day), 'UTC');

function Tense({ from, next, today }: { from: string; next: string | undefined; today: string }) {
  const tense = from > today ? 'coming' : next !== undefined && next <= today ? 'ended' : 'current';
  return <span class={tense === 'current' ? 'tag good' : 'tag'}>{t(tense)}</span>;
}

function factsOf(period: ContractPeriod, { currency, smallChange, vatPercent }: MarketTerms): Fact[] {
  const { fixed_price_per_kwh: fixed, monthly_fee, vat_percent, export: sold, tax_reduction, support } = period;
  const withVat = prefersVat() ? 1 + (vat_percent ?? vatPercent) / 100 : 1;
  const perKwh = (amount: number): string => `${number(amount * smallChange.perUnit, 2)} ${smallChange.name}/kWh`;
  const ifSet = (amount: number | undefined): string | undefined => (amount === undefined ? undefined : perKwh(amount));
  const { markup_per_kwh: markup } = period;
  return [
    [t('supplier'), period.supplier],
    [t('pricing'), fixed === undefined ? t('spot') : t('fixed', { price: perKwh(fixed * withVat) })],
    [t('markup'), markup === undefined ? undefined : perKwh(markup * withVat)],
    [t('fee'), monthly_fee === undefined ? undefined : money(monthly_fee * withVat, currency)],
    [t('vat'), vat_percent === undefined ? undefined : `${number(vat_percent, vat_percent % 1 === 0 ? 0 : 1)} %`],
    [t('sold'), soldText(sold, perKwh)],
    [t('benefit'), ifSet(period.export_grid_benefit_per_kwh)],
    [t('reduction'), ifSet(tax_reduction?.per_kwh)],
    [t('support'), support && t(support)],
    [t('gridTariff'), period.tariff_id && t('ownTariff')],
    [t('fuse'), period.fuse_a === undefined ? undefined : number(period.fuse_a)],
  ];
}

function soldText(sold: ContractPeriod['export'], perKwh: (amount: number) => string): string {
  if (sold?.price_per_kwh !== undefined) return t('fixed', { price: perKwh(sold.price_per_kwh) });
  const adjustment = sold?.adjustment_per_kwh ?? 0;
  if (adjustment === 0) return t('spot');
  return t(adjustment > 0 ? 'spotPlus' : 'spotMinus', { price: perKwh(Math.abs(adjustment)) });
}
