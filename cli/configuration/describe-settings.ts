import { Problem } from '#contract/problem.ts';
import { type Setting, settingsOf } from '#lib/config/setting.ts';
import { fileVariable } from '#lib/config.ts';
import { describeSetting, describeSettingPlainly, keyOf, type Program, programNames, programs } from './programs.ts';

const head = [
  'Configuration of Ohmstead. Save it as ohmstead.yaml in the folder where you start the programs, or give its path with',
  '--config FILE or OHMSTEAD_CONFIG. Every setting is optional. An environment variable of the same name in capital letters',
  'overrides it. For any key you can instead set key_file to the path of a file that contains the value.',
];

const width = 118;

/** Returns a configuration file with every setting, its meaning and its default as comments. */
export const exampleFile = (): string =>
  [...head.map((line) => `# ${line}`), ...programNames.flatMap(section)].map((line) => `${line}\n`).join('');

const section = (program: Program): string[] =>
  [
    '',
    `${program}:`,
    ...settingsOf(programs[program]).flatMap(([name, setting]) => [
      ...wrapped(describeSettingPlainly(setting)).map((line) => `  # ${line}`),
      `  #${line(name, setting)}`,
      '',
    ]),
  ].slice(0, -1);

/** Returns the line of a setting. No space follows its #, unlike in text: removing the # leaves a valid setting. */
function line(name: string, { default: fallback, secret, examples: [example] = [] }: Setting): string {
  if (fallback !== undefined) return `${keyOf(name)}: ${quoted(fallback)}`;
  if (secret || example === undefined) return `${keyOf(fileVariable(name))}: /run/secrets/${keyOf(name)}`;
  return `${keyOf(name)}: ${quoted(example)}`;
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

/** Keywords of a setting that are not part of JSON Schema, or written otherwise. */
const ownKeywords = ['description', 'note', 'secret'];

/** Returns a JSON Schema of the configuration file for editors, in draft 7, which most of them support. */
export const fileSchema = (): object => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Ohmstead configuration',
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(programNames.map((program) => [program, sectionSchema(program)])),
});

const sectionSchema = (program: Program): object => ({
  type: ['object', 'null'],
  description: `Settings of ohmstead ${program}`,
  additionalProperties: false,
  properties: Object.fromEntries(
    settingsOf(programs[program]).flatMap(([name, setting]) => [
      [keyOf(name), settingSchema(setting)],
      [
        keyOf(fileVariable(name)),
        { type: 'string', description: `Path of a file that contains the value of ${keyOf(name)}` },
      ],
    ]),
  ),
});

const settingSchema = (setting: Setting): object => ({
  ...Object.fromEntries(Object.entries(setting).filter(([keyword]) => !ownKeywords.includes(keyword))),
  ...(setting.secret && { writeOnly: true }),
  description: describeSettingPlainly(setting),
  markdownDescription: describeSetting(setting), // for editors based on the YAML language server
});

const begin = (program: Program): string => `<!-- settings of ${program}: written by ohmstead config docs -->`;
const end = '<!-- end of settings -->';

/** Updates the tables of settings between the marks of a Markdown document. */
export const withTables = (document: string): string => programNames.reduce(withTable, document);

function withTable(document: string, program: Program): string {
  const [before, after] = document.split(`${begin(program)}\n`);
  const stop = after?.indexOf(`${end}\n`) ?? -1;
  if (before === undefined || after === undefined || stop < 0) {
    throw new Problem('unprocessable', `The document has no line ${begin(program)}, or no ${end} after it.`);
  }
  return `${before}${begin(program)}\n${tableOf(program)}${after.slice(stop)}`;
}

const tableOf = (program: Program): string =>
  ['', '| Variable | Default | Meaning |', '|---|---|---|', ...settingsOf(programs[program]).map(row), '']
    .map((line) => `${line}\n`)
    .join('');

function row([name, setting]: [string, Setting]): string {
  const fallback = String(setting.default ?? '');
  const cells = [`\`${name}\``, fallback === '' ? '-' : `\`${fallback}\``, marked(describeSetting(setting))];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Marks code: words with characters that ordinary words do not contain. */
const marked = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replaceAll(codeWord, '$1`$2`').replaceAll(documentName, '[$&](../$&)'),
    )
    .join('');

const codeWord = /(^|[\s(])((?=\/|[^\s`]*(?:[<>*_=]|:\/\/))[^\s`]*?)(?=[.,;:)]*(?:\s|$))/g;
const documentName = /\b[A-Z]+\.md\b/g;
