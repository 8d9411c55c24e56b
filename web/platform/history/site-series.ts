import type { SiteKind } from '#contract/balance.ts';
import type { EnergyInterval, EnergySeries, SiteEnergy } from '#contract/cloud/energy.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { ChartSeries, ColourName } from '../../chart/chart.tsx';
import { sourceWords } from '../../flow/flows.ts';
import { directionWords } from '../../parts/der-words.ts';
import { energy, power, texts } from '../../parts/text.ts';
import type { Bucket, Buckets } from './buckets.ts';

const taken = (watts: number): number => Math.max(0, watts);
const given = (watts: number): number => Math.max(0, -watts);

/** The series of a site. Charts stack them in this order, sources upwards and consumers downwards. */
export const flows = [
  { flow: 'solar', kind: 'pv', share: given, colour: 'sun', isSource: true },
  { flow: 'import', kind: 'meter', share: taken, colour: 'grid-in', isSource: true },
  { flow: 'battery_discharge', kind: 'battery', share: given, colour: 'battery', isSource: true },
  { flow: 'car_discharge', kind: 'charger', share: given, colour: 'car', isSource: true },
  { flow: 'load', kind: 'load', share: (watts: number) => watts, colour: 'load', isSource: false },
  { flow: 'car_charge', kind: 'charger', share: taken, colour: 'car', isSource: false },
  { flow: 'battery_charge', kind: 'battery', share: taken, colour: 'battery', isSource: false },
  { flow: 'export', kind: 'meter', share: given, colour: 'grid-out', isSource: false },
] as const satisfies {
  flow: EnergySeries;
  kind: SiteKind;
  share(watts: number): number;
  colour: ColourName;
  isSource: boolean;
}[];
type Flow = (typeof flows)[number];

export const flowWords = texts<EnergySeries>({
  solar: 'Solar',
  import: 'From grid',
  battery_discharge: 'From battery',
  car_discharge: 'From car',
  load: 'House',
  car_charge: 'To car',
  battery_charge: 'To battery',
  export: 'To grid',
});

const t = texts({ up: 'in', down: 'out' });

export const sides = (): { up: string; down: string } => ({ up: t('up'), down: t('down') });

/** Returns one layer per flow, sources above zero. Flows that are always zero are left out. */
function layersOf(
  unit: string,
  kind: 'area' | 'bars',
  valuesOf: (flow: Flow) => (number | undefined)[],
): ChartSeries[] {
  return flows.flatMap((source) => {
    const { flow, colour, isSource } = source;
    const values = valuesOf(source).map((value) => (value === undefined || isSource ? value : -value));
    if (!values.some((value) => value !== undefined && value !== 0)) return [];
    return [{ name: flowWords(flow), unit, kind, stack: true, colour, values }];
  });
}

/** Returns the power of a flow in a bucket, or undefined if it was not measured. */
function wattsOf({ watts }: Bucket, { kind, share }: Flow): number | undefined {
  const value = watts[kind];
  return value === undefined ? undefined : share(value);
}

export const stackedPower = ({ rows }: Buckets): ChartSeries[] =>
  layersOf('W', 'area', (flow) => rows.map((bucket) => wattsOf(bucket, flow)));

/** Whether anything was measured: a range without data has no energy, which is not the same as zero. */
export const isMeasured = (energy: Omit<EnergyInterval, 'start' | 'end'>): boolean =>
  energy.coverage_pct > 0 || flows.some(({ flow }) => energy[`${flow}_wh`] !== 0);

/** Returns the bars of the ledger. The legend shows the total of each series. */
export function energyBars({ intervals, total }: SiteEnergy): ChartSeries[] {
  const measured = intervals.map((interval) => (isMeasured(interval) ? interval : undefined));
  return flows
    .filter(({ flow }) => total[`${flow}_wh`] !== 0)
    .map(({ flow, colour, isSource }) => ({
      name: flowWords(flow),
      unit: 'Wh',
      kind: 'bars',
      stack: true,
      colour,
      summary: energy(total[`${flow}_wh`]),
      values: measured.map((interval) => interval && interval[`${flow}_wh`] * (isSource ? 1 : -1)),
    }));
}

const lines = [
  { kind: 'pv', source: 'sun', der: 'solar', colour: 'sun' },
  { kind: 'meter', source: 'grid', der: 'meter', colour: 'grid-in' },
  { kind: 'battery', source: 'battery', der: 'battery', colour: 'battery' },
  { kind: 'charger', source: 'car', der: 'ev_charger_port', colour: 'car' },
  { kind: 'load', source: 'house', der: 'load', colour: 'load' },
] as const satisfies { kind: SiteKind; source: string; der: DerTypeId; colour: ColourName }[];

/** Returns one line per kind, with supply above zero. */
export const powerLines = ({ kinds, rows }: Buckets): ChartSeries[] =>
  lines
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, source, der, colour }) => {
      const sign = kind === 'meter' ? 1 : -1; // meters are positive on import, all others when they consume
      return {
        name: sourceWords(source),
        unit: 'W',
        kind: 'line',
        colour,
        values: rows.map(({ watts: { [kind]: value } }) => value && value * sign),
        format: (value: number) => `${power(value)}, ${directionWords(der, value * sign)}`,
      };
    });
