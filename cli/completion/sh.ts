import { type CompletionTable, quote } from './table.ts';

/** The table as functions that bash and zsh read alike; options that take a value end in =. */
export const shTables = ({ words, options, values }: CompletionTable): string =>
  [
    lookup('words', words, (candidates) => candidates.map(({ word }) => word)),
    lookup('options', options, (candidates) =>
      candidates.map(({ word, takesValue }) => (takesValue ? `${word}=` : word)),
    ),
    lookup('values', values, (list) => (list === 'files' ? ['@files'] : list)),
  ].join('\n');

function lookup<Value>(name: string, rows: Map<string, Value>, wordsOf: (value: Value) => readonly string[]): string {
  const cases = [...rows].map(([key, value]) => `    ${quote(key)}) echo ${quote(wordsOf(value).join(' '))} ;;`);
  return [`_ohmstead_${name}() {`, '  case "$1" in', ...cases, '  esac', '}', ''].join('\n');
}
