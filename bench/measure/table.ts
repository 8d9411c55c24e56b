import type { Finding } from './finding.ts';

const header = ['what', 'value', 'unit', 'against', 'ratio', 'rounds', 'goal'];

export function table(findings: readonly Finding[]): string {
  const lines = [header, ...findings.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')).join('\n');
}

function cellsOf(finding: Finding): string[] {
  const { what, part, value, unit, against, ratio, rounds } = finding;
  return [
    part ? `${what}: ${part}` : what,
    String(value),
    unit,
    against,
    ratio === null ? '' : `${ratio} x`,
    String(rounds),
    goalOf(finding),
  ];
}

/** Without a goal, nothing is missed. */
export function isMet({ goal, value, ratio }: Finding): boolean {
  if (!goal) return true;
  const found = goal.of === 'ratio' ? ratio! : value;
  return 'atMost' in goal ? found <= goal.atMost : found >= goal.atLeast;
}

/** Prints the targets and whether they were reached. */
export function goalOf(finding: Finding): string {
  const { goal, unit } = finding;
  if (!goal) return '';
  const hope = 'atMost' in goal ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  return `${hope} ${goal.of === 'ratio' ? 'x' : unit} ${isMet(finding) ? 'met' : 'MISSED'}`;
}
