import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { queryOf } from '#contract/client/request.ts';
import { createSender } from '#contract/client/send.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { getDerTelemetry, getSiteTelemetry, maxRangeMs, type Resolution } from '#contract/cloud/telemetry.ts';
import { dayMs } from '#contract/time.ts';
import { ActionButton, Button, useAction } from '../../parts/action.tsx';
import { download } from '../../parts/download.ts';
import { choicesOf, Segments } from '../../parts/field.tsx';
import { Card } from '../../parts/layout.tsx';
import { setQuery } from '../../parts/router.tsx';
import { dateRange as spanText, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { TimeRange } from './buckets.ts';
import { chosenDer, DerView, dersOf, queryParameter } from './der-view.tsx';
import { EmptyRange } from './empty-range.tsx';
import { EnergyChart, PowerChart } from './flow-charts.tsx';
import { csvName, isoRange, queryFor } from './range.ts';
import type { SiteMeasurements } from './use-site-history.ts';

const t = texts({
  view: 'View',
  device: 'Devices',
  closer: 'Show {span} in detail',
  raw: 'Download CSV (all readings)',
  '1m': 'Download CSV (per minute)',
  '1h': 'Download CSV (per hour)',
});

const views = ['power', 'energy', 'device'] as const;
const chosenView = queryParameter('view', 'power');

type CardProps = { site: SiteDetails; measured: SiteMeasurements; nowMs: number };

export function ChartsCard({ site, measured, nowMs }: CardProps) {
  const { span, buckets } = measured;
  const timeZone = site.timezone;
  const view = views.find((name) => name === chosenView.value) ?? 'power';
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
  const ofSite = buckets.rows.length > 0 ? { measured, timeZone, onZoom } : undefined;
  const shownDer = view === 'device' ? der : undefined;
  return (
    <Card title={t(view)} beside={<Segments label={t('view')} value={chosenView} choices={choicesOf(views, t)} />}>
      {shownDer && <DerView site={site} der={shownDer} span={span} nowMs={nowMs} onZoom={onZoom} />}
      {view === 'power' && ofSite && <PowerChart {...ofSite} />}
      {view === 'energy' && ofSite && <EnergyChart {...ofSite} />}
      {!shownDer && !ofSite && <EmptyRange site={site} />}
      {(shownDer || ofSite) && (
        <div class="actions">
          {zoomed.value && <DetailButton span={zoomed.value} timeZone={timeZone} nowMs={nowMs} />}
          <FullCsv siteId={site.id} derId={shownDer?.id} span={span} timeZone={timeZone} />
        </div>
      )}
    </Card>
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

/** Returns the finest resolution that a browser can hold in memory. */
function finestFor({ from, to }: TimeRange, isDer: boolean): 'raw' | '1m' | '1h' {
  if (isDer && to - from <= 2 * dayMs) return 'raw';
  return to - from <= maxRangeMs['1m'] ? '1m' : '1h';
}

type CsvProps = { siteId: string; derId?: string | undefined; span: TimeRange; timeZone: string | undefined };

/** Downloads the range as CSV. A plain link would not send the token. */
function FullCsv({ siteId, derId, span, timeZone }: CsvProps) {
  const resolution = finestFor(span, derId !== undefined) satisfies Resolution;
  const save = useAction(async () => {
    const platform = api();
    const ask = createSender({ baseUrl: platform.url, token: (refused) => platform.token(refused) });
    const query = queryOf({ ...isoRange(span), resolution, format: 'csv' });
    const headers = { accept: 'text/csv' };
    const answer = derId
      ? await ask(getDerTelemetry, { params: { der_id: derId }, headers }, query)
      : await ask(getSiteTelemetry, { params: { site_id: siteId }, headers }, query);
    download(csvName(derId ?? siteId, span, timeZone), await answer.text(), 'text/csv');
  });
  return <ActionButton does={save} tone="plain" label={t(resolution)} />;
}
