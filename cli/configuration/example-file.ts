import { type Setting, settingsOf } from '#lib/config/setting.ts';
import { fileVariable } from '#lib/config.ts';
import { keyOf, type Program, programNames, programs } from './programs.ts';
import { plainMeaning } from './setting-text.ts';

const head = [
  'Configuration of Ohmstead. Save it as ohmstead.yaml where the programs are started, or name it with --config FILE or',
  'OHMSTEAD_CONFIG. Everything here is optional. A variable of the environment with the name in capital letters wins over it, and',
  'instead of any key, key_file may name a file that holds the value.',
];

const width = 118;

/** A configuration file in which every setting stands with its meaning and its default, as a comment. */
export const exampleFile = (): string =>
  [...head.map((line) => `# ${line}`), ...programNames.flatMap(section)].map((line) => `${line}\n`).join('');

const section = (program: Program): string[] =>
  [
    '',
    `${program}:`,
    ...settingsOf(programs[program]).flatMap(([name, setting]) => [
      ...wrapped(plainMeaning(setting)).map((line) => `  # ${line}`),
      `  #${line(name, setting)}`,
      '',
    ]),
  ].slice(0, -1);

/** Without a space before it, so that it differs from words: taking the # away leaves a setting. */
function line(name: string, { default: fallback, secret, examples }: Setting): string {
  if (fallback !== undefined) return `${keyOf(name)}: ${quoted(fallback)}`;
  if (secret || !examples) return `${keyOf(fileVariable(name))}: /run/secrets/${keyOf(name)}`;
  return `${keyOf(name)}: ${quoted(examples[0]!)}`;
}

const quoted = (value: string | number | boolean): string =>
  typeof value === 'string' && !/^[\w./:-]+$/.test(value) ? JSON.stringify(value) : String(value);

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width - 4) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
