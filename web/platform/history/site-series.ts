import type { SiteKind } from '#contract/balance.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { ChartSeries, ColourName } from '../../chart/chart.tsx';
import { sourceWords } from '../../flow/flows.ts';
import { directionWords } from '../../parts/der-words.ts';
import { power, texts } from '../../parts/text.ts';
import type { Buckets } from './buckets.ts';
import { type Energies, type Flow, flows, wattsOf } from './energy.ts';

const t = texts({
  generated: 'Solar',
  imported: 'From grid',
  discharged: 'From battery',
  carGave: 'From car',
  house: 'House',
  carTook: 'To car',
  charged: 'To battery',
  exported: 'To grid',
  up: 'in',
  down: 'out',
});

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
    return [{ name: t(flow), unit, kind, stack: true, colour, values }];
  });
}

export const stackedPower = ({ rows }: Buckets): ChartSeries[] =>
  layersOf('W', 'area', (flow) => rows.map(({ watts }) => wattsOf(watts, flow)));

export const energyBars = (slots: readonly Energies[]): ChartSeries[] =>
  layersOf('Wh', 'bars', ({ flow }) => slots.map((energies) => energies[flow]));

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
