import type { Command, Option } from '../line/command.ts';

export type Candidate = { word: string; help: string };

export type CompletionTable = {
  words: Map<string, Candidate[]>;
  options: Map<string, (Candidate & { takesValue: boolean })[]>;
  /** by the words and the option or argument number; `files` completes file names */
  values: Map<string, readonly string[] | 'files'>;
};

const helpOption: [string, Option] = ['help', { help: 'show help' }];

const programOptions = [
  { word: '--help', help: 'show help', takesValue: false },
  { word: '--version', help: 'show the version', takesValue: false },
];

export function completionTable(
  commands: readonly Command[],
  groups: Readonly<Record<string, string>>,
): CompletionTable {
  const table: CompletionTable = { words: new Map(), options: new Map([['', programOptions]]), values: new Map() };
  for (const command of commands) {
    addWords(table, command, groups);
    const options = [...Object.entries(command.options), helpOption];
    table.options.set(
      command.name,
      options.map(([name, { help, value }]) => ({ word: `--${name}`, help, takesValue: value !== undefined })),
    );
    for (const [name, { value, oneOf }] of options) {
      const values = oneOf ?? (value && /^(FILE|DIR)$/.test(value) ? 'files' : undefined);
      if (values) table.values.set(`${command.name} --${name}`, values);
    }
    for (const [index, { name, oneOf }] of command.arguments.entries()) {
      const values = oneOf ?? (/\b(file|folder)\b/.test(name) ? 'files' : undefined);
      if (values) table.values.set(`${command.name} ${index + 1}`, values);
    }
  }
  return table;
}

function addWords(
  { words }: CompletionTable,
  { name, summary }: Command,
  groups: Readonly<Record<string, string>>,
): void {
  const parts = name.split(' ');
  for (const [index, word] of parts.entries()) {
    const path = parts.slice(0, index).join(' ');
    const whole = parts.slice(0, index + 1).join(' ');
    const following = words.get(path) ?? [];
    if (following.some((known) => known.word === word)) continue;
    words.set(path, [...following, { word, help: whole === name ? summary : (groups[whole] ?? '') }]);
  }
}

export const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;

/** Returns the table as shell functions for bash and zsh; options that take a value end in =. */
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
