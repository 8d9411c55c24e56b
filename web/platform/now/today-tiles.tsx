import type { EnergyTotal } from '#contract/cloud/energy.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { dateAt } from '#contract/time-zone.ts';
import { Failed } from '../../parts/layout.tsx';
import type { Load } from '../../parts/load.tsx';
import { timeNow } from '../../parts/now.ts';
import { Link } from '../../parts/router.tsx';
import { money, number, percent, texts, timeOfDay } from '../../parts/text.ts';
import { arePricesDown, Gaps, gapsBefore, hasKind } from '../bill/missing.tsx';
import { type EnergyOfDay, type MonthOfSite, type SavingsOfDay, useEnergyOfDay, useSavingsOfDay } from './today.ts';

const t = texts({
  today: 'Today',
  cost: 'Net cost today',
  saved: 'Saved today',
  selfSufficiency: 'Self-sufficiency',
  selfConsumption: 'Self-consumption',
  peak: 'Peak this month',
  less: '{amount} less than yesterday by {time}',
  more: '{amount} more than yesterday by {time}',
  same: 'The same as yesterday by {time}',
  yesterday: 'Yesterday by {time}: {value}',
  sun: 'Sun {amount}',
  battery: 'battery {amount}',
  noSun: 'No sun yet today',
  begins: 'The first quarter-hour of today is not complete yet.',
  noData: 'No data for today yet',
  above: 'Above {kw} kW: {cost} more per kW',
  noPeak: 'No peak counts yet',
  noCharge: 'The grid tariff has no power charge',
  peakOf: 'Mean of {count} peaks',
});

type TodayProps = { site: SiteDetails; month: Load<MonthOfSite | undefined> };

/** Shows what today cost and saved, compared with yesterday until the same time. */
export function TodayTiles({ site, month }: TodayProps) {
  const energy = useEnergyOfDay(site);
  const gaps = gapsBefore(site);
  if (gaps.includes('meter')) return <Gaps siteId={site.id} of={gaps} />;
  return (
    <section class="today" aria-label={t('today')}>
      <div class="tiles">
        {gaps.length === 0 && <MoneyTiles site={site} energy={energy.value} />}
        <EnergyTiles site={site} loaded={energy} />
        {gaps.length === 0 && <PeakTile site={site} month={month} />}
      </div>
      <Gaps siteId={site.id} of={arePricesDown(month.problem) ? ['prices'] : gaps} />
    </section>
  );
}

type TileProps = {
  to: string;
  label: string;
  value?: string | undefined;
  more?: readonly (string | false | null | undefined)[];
};

type Words = Pick<TileProps, 'value' | 'more'>;

/** A figure that leads to its details. It has the same size before and after its value is loaded. */
export const Tile = ({ to, label, value, more = [] }: TileProps) => (
  <Link class="tile" to={to}>
    <span class="label">{label}</span>
    <span class="value">{value ?? '–'}</span>
    {more.map((text) => text && <span class="more">{text}</span>)}
  </Link>
);

const today = ({ timezone }: SiteDetails): string => dateAt(timezone, timeNow());

const isMeasured = ({ coverage_pct, estimated_wh }: EnergyTotal): boolean => coverage_pct > 0 || estimated_wh > 0;

type MoneyProps = { site: SiteDetails; energy: EnergyOfDay | undefined };

function MoneyTiles({ site, energy }: MoneyProps) {
  const loaded = useSavingsOfDay(site);
  const to = `/app/sites/${site.id}/bill?day=${today(site)}`;
  const [hasSolar, hasBattery] = [hasKind(site, 'pv'), hasKind(site, 'battery')];
  const { value } = loaded;
  const show = (words: (value: SavingsOfDay, isCompared: boolean) => Words): Words => {
    if (energy && !isMeasured(energy.today)) return { more: [t('noData')] };
    return value ? words(value, energy !== undefined && isMeasured(energy.yesterday)) : { more: [emptyText(loaded)] };
  };
  return (
    <>
      <Tile to={to} label={t('cost')} {...show(costOf)} />
      {(hasSolar || hasBattery) && <Tile to={to} label={t('saved')} {...show(savedOf(hasSolar, hasBattery))} />}
      {loaded.problem !== undefined && !arePricesDown(loaded.problem) && (
        <Failed problem={loaded.problem} again={loaded.again} />
      )}
    </>
  );
}

/** Says why a loaded tile has no value. */
const emptyText = ({ isLoading, problem }: Load<unknown>): string | undefined =>
  isLoading || problem !== undefined ? undefined : t('begins');

function costOf({ today, yesterday, until }: SavingsOfDay, isCompared: boolean): Words {
  const { actual, currency, timezone } = today;
  const change = Math.round((actual - yesterday.actual) * 100) / 100;
  const words = { amount: money(Math.abs(change), currency), time: timeOfDay(until, timezone) };
  return {
    value: money(actual, currency),
    more: [isCompared && t(change === 0 ? 'same' : change < 0 ? 'less' : 'more', words)],
  };
}

const savedOf =
  (hasSolar: boolean, hasBattery: boolean) =>
  ({ today, yesterday, until }: SavingsOfDay, isCompared: boolean): Words => {
    const { currency, timezone } = today;
    const sum = ({ saved }: typeof today): number => (hasSolar ? saved.solar : 0) + (hasBattery ? saved.battery : 0);
    const amount = (value: number): string => money(value, currency);
    const { solar, battery } = today.saved;
    return {
      value: amount(sum(today)),
      more: [
        hasSolar &&
          hasBattery &&
          `${t('sun', { amount: amount(solar) })}, ${t('battery', { amount: amount(battery) })}`,
        isCompared && t('yesterday', { time: timeOfDay(until, timezone), value: amount(sum(yesterday)) }),
      ],
    };
  };

function EnergyTiles({ site, loaded }: { site: SiteDetails; loaded: Load<EnergyOfDay | undefined> }) {
  const to = `/app/sites/${site.id}/history?range=day`;
  const tileOf = (name: 'self_sufficiency_pct' | 'self_consumption_pct'): Words =>
    loaded.value ? shareOf(loaded.value, name, site.timezone) : { more: [emptyText(loaded)] };
  return (
    <>
      <Tile to={to} label={t('selfSufficiency')} {...tileOf('self_sufficiency_pct')} />
      {hasKind(site, 'pv') && <Tile to={to} label={t('selfConsumption')} {...tileOf('self_consumption_pct')} />}
      <Failed problem={loaded.problem} again={loaded.again} />
    </>
  );
}

function shareOf(
  { today, yesterday, until }: EnergyOfDay,
  name: 'self_sufficiency_pct' | 'self_consumption_pct',
  timeZone: string | undefined,
): Words {
  if (!isMeasured(today)) return { more: [t('noData')] };
  const [now, before] = [today[name], yesterday[name]];
  return {
    ...(now !== null && { value: percent(now / 100) }),
    more: [
      now === null && t(name === 'self_consumption_pct' ? 'noSun' : 'noData'),
      before !== null &&
        isMeasured(yesterday) &&
        t('yesterday', { time: timeOfDay(until, timeZone), value: percent(before / 100) }),
    ],
  };
}

function PeakTile({ site, month: { value: month } }: TodayProps) {
  return <Tile to={`/app/sites/${site.id}/bill`} label={t('peak')} {...(month ? peakOf(month) : {})} />;
}

function peakOf({ bill }: MonthOfSite): Words {
  const { peaks = [], next_peak: next, currency, lines, tariff_id } = bill;
  const line = lines.findLast(({ kind }) => kind === 'power');
  if (!line) return { more: [tariff_id !== null && t('noCharge')] };
  if (peaks.length === 0) return { more: [t('noPeak')] };
  const mean = peaks.reduce((sum, { kw }) => sum + kw, 0) / peaks.length; // decides the step of a capacity charge
  return {
    value: `${number(line.unit === 'kW' ? line.quantity : mean, 2)} kW`,
    more: [
      peaks.length > 1 && t('peakOf', { count: peaks.length }),
      next && t('above', { kw: number(next.above_kw, 2), cost: money(next.cost_per_kw, currency) }),
    ],
  };
}
