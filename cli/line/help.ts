import type { TObject } from 'typebox';
import { columns } from '../terminal/output.ts';
import type { Argument, Command, Option } from './command.ts';

const program = 'ohmstead';

type Section = [title: string, rows: [left: string, right: string][]];

const commonOptions: Section = [
  'Options',
  [
    ['--help', 'show help for any command or group'],
    ['--version', 'show the version'],
  ],
];

export const programHelp = (words: Readonly<Record<string, { help: string }>>, summary: string): string =>
  text(`${program} <command> [options]`, summary, [
    ['Commands', Object.entries(words).map(([word, { help }]) => [word, help])],
    commonOptions,
  ]);

export const groupHelp = (group: string, commands: readonly Command[], summary: string): string =>
  text(`${program} ${group} <command> [options]`, summary, [subcommands(group, commands), commonOptions]);

/** Returns the help of a command, with its subcommands if it is also a group. */
export function commandHelp(command: Command, commands: readonly Command[] = []): string {
  const names = command.arguments.map(argumentWord);
  const options = Object.entries(command.options).map(([name, option]): [string, string] => [
    option.value ? `--${name} ${option.value}` : `--${name}`,
    optionWords(option),
  ]);
  return text([program, command.name, ...names, '[options]'].join(' '), command.summary, [
    ['Arguments', command.arguments.map((argument) => [argumentWord(argument), argumentWords(argument)])],
    subcommands(command.name, commands),
    ['Options', [...options, ['--help', 'show this help']]],
    ['Environment', command.environment ? variables(command.environment) : []],
    ['Examples', command.examples.map((example) => [`${program} ${example}`, ''])],
  ]);
}

function text(usage: string, summary: string, sections: Section[]): string {
  const blocks = sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => `${title}:\n${columns(rows).replaceAll(/^/gm, '  ')}`);
  return `${[`Usage: ${usage}`, summary, ...blocks].join('\n\n')}\n`;
}

const subcommands = (group: string, commands: readonly Command[]): Section => [
  'Commands',
  commands.filter(({ name }) => name.startsWith(`${group} `)).map(({ name, summary }) => [name, summary]),
];

const argumentWord = ({ name, optional, many }: Argument): string => {
  const word = many ? `${name}...` : name;
  return optional ? `[${word}]` : `<${word}>`;
};

const argumentWords = ({ help, oneOf }: Argument): string => (oneOf ? `${help} (${oneOf.join(', ')})` : help);

const optionWords = ({ help, oneOf, required }: Option): string =>
  [help, oneOf && `(${oneOf.join(', ')})`, required && '(required)'].filter(Boolean).join(' ');

function variables(schema: TObject): [string, string][] {
  type Property = { description?: string; enum?: string[]; default?: string | number | boolean };
  return Object.entries(schema.properties as Record<string, Property>).map(([name, property]) => {
    const words = [property.description, property.enum && `(${property.enum.join(', ')})`];
    if (property.default !== undefined && property.default !== '') words.push(`[${property.default}]`);
    return [name, words.filter(Boolean).join(' ')];
  });
}
