import type { Command, Option } from '../line/command.ts';

export type Candidate = { word: string; says: string };

/** What a completion script knows, by the words before the cursor. */
export type CompletionTable = {
  /** the words that may follow these */
  words: Map<string, Candidate[]>;
  options: Map<string, (Candidate & { takesValue: boolean })[]>;
  /** by the words and the option, or the number of the argument; `files` for names of files */
  values: Map<string, readonly string[] | 'files'>;
};

const helpOption: [string, Option] = ['help', { says: 'help' }];

const programOptions = [
  { word: '--help', says: 'help', takesValue: false },
  { word: '--version', says: 'version of the program', takesValue: false },
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
      options.map(([name, { says, value }]) => ({ word: `--${name}`, says, takesValue: value !== undefined })),
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
    words.set(path, [...following, { word, says: whole === name ? summary : (groups[whole] ?? '') }]);
  }
}

/** In single quotes, as all three shells read them. */
export const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;
