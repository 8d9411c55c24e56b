import { type ComponentChildren, Fragment } from 'preact';
import { maxBillDays } from '#contract/cloud/bill.ts';
import type { EnergySeries, EnergyTotal } from '#contract/cloud/energy.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { dayMs } from '#contract/time.ts';
import { dateAt, wallAt } from '#contract/time-zone.ts';
import { Card, Failed, Figure } from '../../parts/layout.tsx';
import { LinkButton } from '../../parts/router.tsx';
import { change, dateAndTime, energy, mass, money, percent, dateRange as spanText, texts } from '../../parts/text.ts';
import { isMeasured as hasEnough } from '../bill/earlier-bill.ts';
import { arePricesDown, Gaps, gapsBefore, gapsOf } from '../bill/missing.tsx';
import { AssumedTariffs, SimulatedTag } from '../market/assumed-tariffs.tsx';
import { type Comparison, passedEnd, type Range } from './range.ts';
import { flows } from './site-series.ts';
import { type CarbonOfRange, useCarbon } from './use-carbon.ts';
import { type Compared, type LoadedEnergy, useCompared } from './use-energy.ts';
import { isTooLong, useComparedBills, useMoney } from './use-money.ts';

const t = texts({
  title: 'Totals',
  cost: 'Net cost',
  savedBySolar: 'Saved by solar',
  savedByBattery: 'Saved by the battery',
  import: 'Imported',
  export: 'Exported',
  solar: 'Solar production',
  load: 'House',
  battery_charge: 'Battery charged',
  battery_discharge: 'Battery discharged',
  car_charge: 'Car charged',
  car_discharge: 'Car discharged',
  selfSufficiency: 'Self-sufficiency',
  selfConsumption: 'Self-consumption',
  carbon: 'CO₂ of imported electricity',
  carbonSource: 'Carbon intensities: {provider}.',
  carbonCovered: 'They are known for {share} of the imported energy.',
  carbonUntil: 'The emissions are those until {time}.',
  tooLong: 'Costs are shown for at most {days} days.',
  bill: 'See the bill line by line',
  before: 'previous: {value}',
  lastYear: 'last year: {value}',
  comparedBefore: 'Previous period: {span}.',
  comparedLastYear: 'Same period last year: {span}.',
  running: 'This period is not over, so only the same part of other periods is compared.',
  noneMeasured: 'Nothing was measured then.',
  partlyMeasured: 'Only {share} of it was measured, so no change is shown.',
  tooLittle: 'Only {share} of this period was measured, so no change is shown.',
});

type FigureName = EnergySeries | 'selfSufficiency' | 'selfConsumption';

type TotalsProps = { site: SiteDetails; range: Range; loaded: LoadedEnergy; nowMs: number };

export function TotalsCard({ site, range, loaded, nowMs }: TotalsProps) {
  const { total } = loaded.energy;
  const timeZone = site.timezone;
  const compared = useCompared(site.id, range, nowMs, timeZone);
  const others = compared.value?.compared ?? [];
  const loadedMoney = useMoney({ site, range, nowMs });
  const bills = useComparedBills({ site, range }, others);
  const isPlaced = gapsBefore(site).length === 0 && !isTooLong(range);
  const carbon = useCarbon({ site, range, nowMs, isAsked: isPlaced && total.import_wh > 0 }, others);
  const { bill, savings } = loadedMoney.value ?? {};
  const isPending = loadedMoney.value === undefined && loadedMoney.isLoading && loadedMoney.problem === undefined;
  const isDown = arePricesDown(loadedMoney.problem);
  const gaps = bill ? gapsOf(loadedMoney.value?.hasContract ?? false, bill) : gapsBefore(site);
  const figureOf = (label: FigureName, kind: Kind, of: (energy: EnergyTotal) => number | null) => {
    const value = of(total);
    const before = others.map((other) => ({ other, value: other.total && of(other.total) }));
    const isUnused = kind === 'energy' && [{ value }, ...before].every((each) => !each.value);
    if (value === null || isUnused) return null;
    return <Change key={label} label={t(label)} now={{ total, value }} before={before} kind={kind} />;
  };
  return (
    <Card title={t('title')}>
      <Failed problem={loadedMoney.problem} again={loadedMoney.again} />
      <div class="figures">
        {isPending && <Figure label={t('cost')} value="…" />}
        {bill && savings && (
          <>
            <Change
              label={t('cost')}
              now={{ total, value: bill.total }}
              before={others.map((other) => ({ other, value: bills.get(other.comparison)?.total }))}
              kind={{ currency: bill.currency }}
              more={bill.metadata.is_simulated && <SimulatedTag of={bill.metadata} />}
            />
            {total.solar_wh > 0 && (
              <Figure label={t('savedBySolar')} value={money(savings.saved.solar, bill.currency)} />
            )}
            {total.battery_discharge_wh > 0 && (
              <Figure label={t('savedByBattery')} value={money(savings.saved.battery, bill.currency)} />
            )}
          </>
        )}
        {figureOf('selfSufficiency', 'share', (of) => of.self_sufficiency_pct)}
        {figureOf('selfConsumption', 'share', (of) => of.self_consumption_pct)}
        {flows.map(({ flow }) => figureOf(flow, 'energy', (of) => of[`${flow}_wh`]))}
        {carbon && (
          <Change
            label={t('carbon')}
            now={{ total, value: carbon.carbon.carbon_g }}
            before={others.map((other) => ({ other, value: carbon.before.get(other.comparison)?.carbon_g }))}
            kind="mass"
          />
        )}
      </div>
      {carbon && <CarbonNotes of={carbon} end={passedEnd(range, nowMs)} />}
      <Failed problem={compared.problem} again={compared.again} />
      <ComparedNotes total={total} others={others} timeZone={timeZone} isRunning={passedEnd(range, nowMs) < range.to} />
      {isTooLong(range) && <p class="says">{t('tooLong', { days: maxBillDays })}</p>}
      <Gaps siteId={site.id} of={isDown ? ['prices'] : gaps} />
      {bill && <AssumedTariffs of={bill.metadata} />}
      {bill && range.preset === 'month' && (
        <div class="actions">
          <LinkButton
            to={`/app/sites/${site.id}/bill?month=${dateAt(timeZone, range.from).slice(0, 7)}`}
            label={t('bill')}
          />
        </div>
      )}
    </Card>
  );
}

type Kind = 'energy' | 'share' | 'mass' | { currency: string };

function valueText(value: number, kind: Kind): string {
  if (kind === 'energy') return energy(value);
  if (kind === 'mass') return mass(value);
  return kind === 'share' ? percent(value / 100) : money(value, kind.currency);
}

type ChangeProps = {
  label: string;
  now: { total: EnergyTotal; value: number };
  before: readonly { other: Compared; value: number | null | undefined }[];
  kind: Kind;
  more?: ComponentChildren;
};

/** Shows a value, the same of other periods, and how much it has changed. */
function Change({ label, now, before, kind, more }: ChangeProps) {
  return (
    <Figure
      label={label}
      value={<data value={now.value}>{valueText(now.value, kind)}</data>}
      more={
        <>
          {before.map(({ other, value }) => {
            if (value === undefined || value === null) return null;
            const text = valueText(value, kind);
            const isChange = kind !== 'share' && value > 0 && isEnough(now.total) && isEnough(other.total);
            const changed = isChange ? `${text} (${change(now.value / value - 1)})` : text;
            return <div key={other.comparison}>{t(other.comparison, { value: changed })}</div>;
          })}
          {more}
        </>
      }
    />
  );
}

/** With less data, a change may be one of what was measured. */
const isEnough = (total: EnergyTotal | undefined): boolean => total !== undefined && hasEnough(total);

const comparedKey = { before: 'comparedBefore', lastYear: 'comparedLastYear' } as const satisfies Record<
  Comparison,
  string
>;

type NotesProps = {
  total: EnergyTotal;
  others: readonly Compared[];
  timeZone: string | undefined;
  isRunning: boolean;
};

function ComparedNotes({ total, others, timeZone, isRunning }: NotesProps) {
  const share = (of: EnergyTotal): string => percent(Math.floor(of.coverage_pct) / 100);
  const measured = others.filter((other) => other.total);
  if (others.length === 0) return null;
  return (
    <p class="says">
      {others.map((other) => (
        <Fragment key={other.comparison}>
          {t(comparedKey[other.comparison], { span: fullSpan(other, timeZone) })}{' '}
          {!other.total && `${t('noneMeasured')} `}
          {other.total &&
            isEnough(total) &&
            !isEnough(other.total) &&
            `${t('partlyMeasured', { share: share(other.total) })} `}
        </Fragment>
      ))}
      {measured.length > 0 && isRunning && `${t('running')} `}
      {measured.length > 0 && !isEnough(total) && t('tooLittle', { share: share(total) })}
    </p>
  );
}

function CarbonNotes({ of: { carbon }, end }: { of: CarbonOfRange; end: number }) {
  const { provider, covered_pct: covered, to, timezone } = carbon;
  const isCut = Date.parse(to) < end;
  return (
    <p class="says">
      {t('carbonSource', { provider })}{' '}
      {covered !== null && covered < 100 && `${t('carbonCovered', { share: percent(Math.floor(covered) / 100) })} `}
      {isCut && t('carbonUntil', { time: dateAndTime(Date.parse(to), timezone) })}
    </p>
  );
}

/** Returns a range as dates, with times where it does not consist of whole days. */
const fullSpan = ({ from, to }: { from: number; to: number }, timeZone: string | undefined): string =>
  spanText(
    from,
    to,
    timeZone,
    [from, to].some((ms) => wallAt(timeZone, ms) % dayMs !== 0),
  );
