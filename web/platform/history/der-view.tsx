import { useMemo } from 'preact/hooks';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { bucketMs, type DerHistory, getDerTelemetry } from '#contract/cloud/telemetry.ts';
import type { DerTypeId } from '#contract/der.ts';
import { Chart } from '../../chart/chart.tsx';
import { boundValue, type EditableValue, editable } from '../../parts/bound-value.ts';
import { derWords } from '../../parts/der-words.ts';
import { choicesOf, Segments, Select } from '../../parts/field.tsx';
import { Loaded } from '../../parts/load.tsx';
import { pageUrl, setQuery } from '../../parts/router.tsx';
import { inSentence, language, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { TimeRange } from './buckets.ts';
import { groups } from './der-fields.ts';
import { derSeries, derSides, groupsOf, sizeText } from './der-series.ts';
import { EmptyRange } from './empty-range.tsx';
import { derResolutionFor } from './resolution.ts';
import { useTelemetry } from './use-site-history.ts';

const t = texts({
  what: ['Quantity', 'Storhet'],
  power: ['Power', 'Effekt'],
  phases: ['Power per phase', 'Effekt per fas'],
  voltage: ['Voltage', 'Spänning'],
  current: ['Current', 'Ström'],
  temperature: ['Temperature', 'Temperatur'],
  frequency: ['Frequency', 'Frekvens'],
  counters: ['Energy meters', 'Mätarställningar'],
  of: ['{what}, {device}', '{what}, {device}'],
});

/** Returns a signal that reads and writes a query parameter of the address. */
export const queryParameter = (name: string, usual: string): EditableValue =>
  boundValue(
    () => pageUrl.value.searchParams.get(name) ?? usual,
    (value) => setQuery({ [name]: value === usual ? undefined : value }),
  );

type DerChoice = { id: string; type: DerTypeId; label: string };

export const dersOf = (site: SiteDetails): DerChoice[] =>
  site.devices.flatMap((device) =>
    device.ders.map(({ id, type }) => ({ id, type, label: `${device.name}, ${inSentence(derWords(type))}` })),
  );

export const chosenDer = queryParameter('der', '');

type ViewProps = {
  site: SiteDetails;
  der: DerChoice;
  span: TimeRange;
  nowMs: number;
  onZoom(from: number, to: number): void;
};

export function DerView(props: ViewProps) {
  const { site, der } = props;
  const choices = dersOf(site).map(({ id, label }) => ({ value: id, label }));
  const chosen = editable(der.id, (id) => (chosenDer.value = id));
  return (
    <>
      <Select label={t('device')} value={chosen} choices={choices} />
      <DerValues key={der.id} {...props} />
    </>
  );
}

function DerValues({ site, der, span, nowMs, onZoom }: ViewProps) {
  const loaded = useTelemetry(span, nowMs, derResolutionFor(span.to - span.from), der.id, (asked) =>
    api().call(getDerTelemetry, { params: { der_id: der.id }, ...asked }),
  );
  return (
    <Loaded from={loaded}>
      {(history) =>
        history.points.length === 0 ? (
          <EmptyRange site={site} />
        ) : (
          <DerChart history={history} der={der} timeZone={site.timezone} onZoom={onZoom} />
        )
      }
    </Loaded>
  );
}

const chosenGroup = queryParameter('what', 'power');

type ChartsProps = { history: DerHistory; der: DerChoice; timeZone: string | undefined; onZoom: ViewProps['onZoom'] };

function DerChart({ history, der, timeZone, onZoom }: ChartsProps) {
  const shown = useMemo(() => groupsOf(history, groups), [history]);
  const group = shown.find((name) => name === chosenGroup.value) ?? shown[0];
  const series = useMemo(
    () => (group ? derSeries(history, der.type, group) : []),
    [history, der.type, group, language.value],
  );
  const x = useMemo(() => history.points.map(({ timestamp }) => timestamp), [history]);
  if (!group) return null;
  const hasDirection = group === 'power' || group === 'phases';
  return (
    <>
      <Segments label={t('what')} value={chosenGroup} choices={choicesOf<string>(shown, t.orName)} />
      <Chart
        label={t('of', { what: t(group), device: der.label })}
        x={x}
        series={series}
        format={sizeText}
        timeZone={timeZone}
        stepMs={bucketMs[history.resolution]}
        range={[Date.parse(history.from), Date.parse(history.to)]}
        {...(hasDirection && { sides: derSides(der.type) })}
        onZoom={onZoom}
      />
    </>
  );
}
