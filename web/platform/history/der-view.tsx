import { useMemo } from 'preact/hooks';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { bucketMs, type DerHistory, getDerTelemetry } from '#contract/cloud/telemetry.ts';
import type { DerTypeId } from '#contract/der.ts';
import { idleW } from '#contract/direction.ts';
import { Chart, type ChartSeries, type ColourName } from '../../chart/chart.tsx';
import { boundValue, type EditableValue, editable } from '../../parts/bound-value.ts';
import { derWords, directionWords } from '../../parts/der-words.ts';
import { choicesOf, Segments, Select } from '../../parts/field.tsx';
import { fieldWords, partWords } from '../../parts/field-words.ts';
import { Loaded } from '../../parts/load.tsx';
import { pageUrl, setQuery } from '../../parts/router.tsx';
import { energy, inSentence, language, number, percent, power, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { TimeRange } from './buckets.ts';
import { fieldsIn, groups, isDirected, signOf, unitOf } from './der-fields.ts';
import { EmptyRange } from './empty-range.tsx';
import { derResolutionFor } from './resolution.ts';
import { useTelemetry } from './use-site-history.ts';

/** Returns the label of a field. Fields of a phase or string are named after it, as the chart names the quantity. */
function fieldName(field: string): string {
  const part = field.slice(0, field.lastIndexOf('_'));
  return partWords.has(part) ? partWords(part) : fieldWords(field);
}

const typeColours: Record<DerTypeId, ColourName> = {
  solar: 'sun',
  battery: 'battery',
  meter: 'grid-in',
  ev_charger_port: 'car',
  load: 'load',
};

/** of the fields after the first */
const otherColours = ['accent', 'grid-out', 'warning', 'car', 'problem', 'load'] as const;

function derSides(type: DerTypeId): { up: string; down: string } {
  const [plus, minus] = [directionWords(type, idleW), directionWords(type, -idleW)];
  return type === 'solar' ? { up: minus, down: plus } : { up: plus, down: minus };
}

function sizeText(value: number, unit: string): string {
  if (unit === 'W') return power(value);
  if (unit === 'Wh') return energy(value);
  if (unit === '%') return percent(value);
  return `${number(value, unit === 'Hz' ? 3 : 1)} ${unit}`;
}

/** Returns fields as lines. Percentages are dashed, as they have their own axis. */
function derSeries({ points }: DerHistory, type: DerTypeId, fields: readonly string[]): ChartSeries[] {
  const sides = derSides(type);
  const colours = [typeColours[type], ...fields.flatMap(() => otherColours)];
  return fields.map((field, place): ChartSeries => {
    const unit = unitOf(field);
    const sign = signOf(type, field);
    const withDirection = (value: number): string => {
      const size = sizeText(Math.abs(value), unit);
      return value === 0 ? size : `${size}, ${value > 0 ? sides.up : sides.down}`;
    };
    const isShare = unit === '%';
    return {
      name: fieldName(field),
      unit,
      kind: 'line',
      dashed: isShare,
      colour: isShare ? 'ink-soft' : (colours[place] ?? 'ink-soft'),
      values: points.map(({ [field]: value }) => value && (unit === 'A' ? Math.abs(value) : value * sign)),
      ...(isDirected(field) && { format: withDirection }),
    };
  });
}

const t = texts({
  what: 'Quantity',
  power: 'Power',
  phases: 'Power per phase',
  voltage: 'Voltage',
  current: 'Current',
  temperature: 'Temperature',
  frequency: 'Frequency',
  counters: 'Energy meters',
  of: '{what}, {device}',
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
    <Loaded from={loaded} lines={16}>
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
  const fields = useMemo(() => new Set(history.points.flatMap((point) => Object.keys(point))), [history]);
  const shown = groups.filter((name) => fieldsIn(name, fields).length > 0);
  const group = shown.find((name) => name === chosenGroup.value) ?? shown[0];
  const series = useMemo(
    () => (group ? derSeries(history, der.type, fieldsIn(group, fields)) : []),
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
