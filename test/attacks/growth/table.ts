import { markdownTable } from '../../docs/document-tables.ts';
import type { GrowthCase, Measured } from './measure.ts';

export type MeasuredCase = { growthCase: GrowthCase; figures: Measured };

const header = ['Route or topic', 'What grows', 'At 1×', 'CPU ms at 1×', '4×', '16×', 'MB at 1×', '4×', '16×'];

/** One line for each case. The cases that send the same kind of body to every route share a line with the highest figures. */
export function tableOf(measured: readonly MeasuredCase[]): string {
  const isBody = ({ growthCase: { what } }: MeasuredCase): boolean => what.startsWith('a body ');
  const bodies = Map.groupBy(measured.filter(isBody), ({ growthCase }) => growthCase.what);
  return markdownTable(header, [
    ...measured.filter((each) => !isBody(each)).map((each) => rowOf(each.growthCase.covers.join(', '), [each])),
    ...Array.from(bodies.values(), (cases) => rowOf(`${cases.length} routes with a body`, cases)),
  ]);
}

function rowOf(name: string, cases: readonly MeasuredCase[]): string[] {
  const { what, unit, base } = cases[0]!.growthCase;
  const highest = (figure: keyof Measured, digits: number): string[] =>
    [0, 1, 2].map((index) => Math.max(...cases.map(({ figures }) => figures[figure][index]!)).toFixed(digits));
  return [name, what, `${base} ${unit}`, ...highest('cpuMs', 1), ...highest('memoryMb', 0)];
}
