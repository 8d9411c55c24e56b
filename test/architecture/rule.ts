import { type Import, importsOf, type Source } from './scan.ts';

export interface Rule {
  says: string;
  /** What breaks the rule, each as `file:line what`. */
  findings: (sources: Source[]) => string[];
  /** Files that break it. Planted among the real ones, each has to be found. */
  wrong: Source[];
}

/** A rule that looks at one import at a time. */
export function importRule(says: string, isWrong: (found: Import) => boolean, wrong: Source[]): Rule {
  return { says, wrong, findings: (sources) => sources.flatMap(importsOf).filter(isWrong).map(show) };
}

const show = ({ from, line, specifier }: Import): string => `${from}:${line} imports ${specifier}`;
