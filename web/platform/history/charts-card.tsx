import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { getSiteEnergy } from '#contract/cloud/energy.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { getDerTelemetry, getSiteTelemetry, maxRangeMs } from '#contract/cloud/telemetry.ts';
import { dayMs } from '#contract/time.ts';
import { Button } from '../../parts/action.tsx';
import { choicesOf, Segments } from '../../parts/field.tsx';
import { Card } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { setQuery } from '../../parts/router.tsx';
import { energy, percent, dateRange as spanText, texts } from '../../parts/text.ts';
import type { TimeRange } from './buckets.ts';
import { CsvButton } from './csv-button.tsx';
import { chosenDer, DerView, dersOf, queryParameter } from './der-view.tsx';
import { EmptyRange } from './empty-range.tsx';
import { EnergyChart, PowerChart } from './flow-charts.tsx';
import { csvName, isoRange, onlyFor, queryFor } from './range.ts';
import { energyResolutionFor } from './resolution.ts';
import { isMeasured } from './site-series.ts';
import type { LoadedEnergy } from './use-energy.ts';
import { useSiteHistory } from './use-site-history.ts';

const t = texts({
  view: 'View',
  device: 'Devices',
  closer: 'Show {span} in detail',
  raw: 'Download CSV (all readings)',
  '1m': 'Download CSV (per minute)',
  '15m': 'Download CSV (per quarter-hour)',
  '1h': 'Download CSV (per hour)',
  '1d': 'Download CSV (per day)',
  '1mo': 'Download CSV (per month)',
  '1y': 'Download CSV (per year)',
  complete: 'Complete data for the whole period.',
  partly: 'Complete data for {share} of the time. Totals include only what was measured.',
  never: 'At no time were all devices measured together, so the consumption of the house is not exact.',
  estimated: '{energy} in all series is estimated: spread over a gap in the data, or derived from the other series.',
});

const views = ['energy', 'power', 'device'] as const;
const chosenView = queryParameter('view', 'energy');

type CardProps = { site: SiteDetails; loaded: LoadedEnergy; nowMs: number };

export function ChartsCard({ site, loaded, nowMs }: CardProps) {
  const { span } = loaded;
  const timeZone = site.timezone;
  const view = views.find((name) => name === chosenView.value) ?? 'energy';
  const ders = dersOf(site);
  const der = ders.find(({ id }) => id === chosenDer.value) ?? ders[0];
  const zoomed = useSignal<TimeRange | undefined>(undefined);
  const onZoom = (from: number, to: number): void => {
    const isPart = from > span.from || to < span.to;
    zoomed.value = isPart ? { from: Math.round(from), to: Math.round(to) } : undefined;
  };
  useEffect(() => {
    zoomed.value = undefined;
  }, [span.from, span.to, view, der?.id]);
  const detail = zoomed.value && <DetailButton span={zoomed.value} timeZone={timeZone} nowMs={nowMs} />;
  return (
    <Card title={t(view)} beside={<Segments label={t('view')} value={chosenView} choices={choicesOf(views, t)} />}>
      {view === 'energy' &&
        (isMeasured(loaded.energy.total) ? (
          <>
            <EnergyChart loaded={loaded} timeZone={timeZone} onZoom={onZoom} />
            <Coverage of={loaded} />
            <div class="actions">
              {detail}
              <EnergyCsv siteId={site.id} span={span} timeZone={timeZone} />
            </div>
          </>
        ) : (
          <EmptyRange site={site} />
        ))}
      {view === 'power' && <PowerView site={site} span={span} nowMs={nowMs} onZoom={onZoom} />}
      {view === 'device' &&
        (der ? (
          <DerView site={site} der={der} span={span} nowMs={nowMs} onZoom={onZoom} />
        ) : (
          <EmptyRange site={site} />
        ))}
      {(view === 'power' || (view === 'device' && der)) && (
        <div class="actions">
          {detail}
          <ReadingsCsv
            siteId={site.id}
            derId={view === 'device' ? der?.id : undefined}
            span={span}
            timeZone={timeZone}
          />
        </div>
      )}
    </Card>
  );
}

const nearlyAll = 99.5; // percent

function Coverage({ of: { energy: ledger } }: { of: LoadedEnergy }) {
  const { coverage_pct: share, estimated_wh: estimated } = ledger.total;
  const some = share === 0 ? t('never') : t('partly', { share: percent(share / 100, share > 99 ? 1 : 0) });
  return (
    <p class="says">
      {share >= nearlyAll ? t('complete') : some} {estimated > 0 && t('estimated', { energy: energy(estimated) })}
    </p>
  );
}

type PowerProps = { site: SiteDetails; span: TimeRange; nowMs: number; onZoom(from: number, to: number): void };

function PowerView({ site, span, nowMs, onZoom }: PowerProps) {
  const timeZone = site.timezone;
  const loaded = useSiteHistory({ siteId: site.id, timeZone, span, nowMs });
  return (
    <Loaded from={onlyFor(loaded, span)} lines={8}>
      {(measured) =>
        measured.buckets.rows.length > 0 ? (
          <PowerChart measured={measured} timeZone={timeZone} onZoom={onZoom} />
        ) : (
          <EmptyRange site={site} />
        )
      }
    </Loaded>
  );
}

/** Opens the zoomed part as a range of its own, at a finer resolution. */
function DetailButton({ span, timeZone, nowMs }: { span: TimeRange; timeZone: string | undefined; nowMs: number }) {
  const range = { preset: 'custom' as const, ...span, follows: false };
  return (
    <Button
      tone="main"
      label={t('closer', { span: spanText(span.from, span.to, timeZone, true) })}
      onClick={() => setQuery(queryFor(range, nowMs, timeZone), { replace: false })}
    />
  );
}

type CsvProps = { siteId: string; span: TimeRange; timeZone: string | undefined };

function EnergyCsv({ siteId, span, timeZone }: CsvProps) {
  const resolution = energyResolutionFor(span.to - span.from);
  const query = { ...isoRange(span), resolution };
  const name = csvName(`${siteId}-energy`, span, timeZone);
  return (
    <CsvButton label={t(resolution)} name={name} route={getSiteEnergy} params={{ site_id: siteId }} query={query} />
  );
}

/** Returns the finest resolution that a browser can hold in memory. */
function finestFor({ from, to }: TimeRange, isDer: boolean): 'raw' | '1m' | '1h' {
  if (isDer && to - from <= 2 * dayMs) return 'raw';
  return to - from <= maxRangeMs['1m'] ? '1m' : '1h';
}

function ReadingsCsv({ siteId, derId, span, timeZone }: CsvProps & { derId: string | undefined }) {
  const resolution = finestFor(span, derId !== undefined);
  const file = {
    label: t(resolution),
    name: csvName(derId ?? siteId, span, timeZone),
    query: { ...isoRange(span), resolution },
  };
  return derId ? (
    <CsvButton {...file} route={getDerTelemetry} params={{ der_id: derId }} />
  ) : (
    <CsvButton {...file} route={getSiteTelemetry} params={{ site_id: siteId }} />
  );
}
