import { type Import, importsOf, type Source } from './scan.ts';

export interface Rule {
  says: string;
  /** Lists violations of the rule, each as `file:line what`. */
  findings: (sources: Source[]) => string[];
  /** Files that break the rule. Each must be reported when it is planted among the real ones. */
  wrong: Source[];
}

/** A rule that looks at one import at a time. */
export function importRule(says: string, isWrong: (found: Import) => boolean, wrong: Source[]): Rule {
  return { says, wrong, findings: (sources) => sources.flatMap(importsOf).filter(isWrong).map(show) };
}

const show = ({ from, line, specifier }: Import): string => `${from}:${line} imports ${specifier}`;
