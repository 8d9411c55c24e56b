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

/** Returns functions for bash and zsh: the tables, where options that take a value end in =, and their lookup. */
export const shFunctions = ({ words, options, values }: CompletionTable): string =>
  [
    lookup('words', words, (candidates) => candidates.map(({ word }) => word)),
    lookup('options', options, (candidates) =>
      candidates.map(({ word, takesValue }) => (takesValue ? `${word}=` : word)),
    ),
    lookup('values', values, (list) => (list === 'files' ? ['@files'] : list)),
    offers,
  ].join('\n');

const offers = `# Prints the candidates for the current word; the arguments after the previous word are all words before the cursor.
_ohmstead_offers() {
  local current=$1 previous=$2 route='' position=0 word list=''
  shift 2
  while [[ $# -gt 0 ]]; do
    word=$1
    shift
    if [[ $word == -* ]]; then
      [[ " $(_ohmstead_options "$route") " == *" $word= "* ]] || continue
      [[ $1 == '=' ]] && shift
      [[ $# -gt 0 ]] && shift
    elif [[ $position == 0 && " $(_ohmstead_words "$route") " == *" $word "* ]]; then
      route="\${route:+$route }$word"
    elif [[ -n $word ]]; then
      position=$((position + 1))
    fi
  done
  if [[ " $(_ohmstead_options "$route") " == *" $previous= "* ]]; then
    list=$(_ohmstead_values "$route $previous")
  elif [[ $current == -* ]]; then
    list=$(_ohmstead_options "$route")
    list=\${list//=/}
  else
    [[ $position == 0 ]] && list=$(_ohmstead_words "$route")
    list="$list $(_ohmstead_values "$route $((position + 1))")"
  fi
  echo "$list"
}
`;

function lookup<Value>(name: string, rows: Map<string, Value>, wordsOf: (value: Value) => readonly string[]): string {
  const cases = [...rows].map(([key, value]) => `    ${quote(key)}) echo ${quote(wordsOf(value).join(' '))} ;;`);
  return [`_ohmstead_${name}() {`, '  case "$1" in', ...cases, '  esac', '}', ''].join('\n');
}
