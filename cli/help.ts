import type { TObject } from 'typebox';
import type { Command, Option } from './command.ts';
import { columns } from './output.ts';

const program = 'ohmstead';

type Section = [title: string, rows: [left: string, right: string][]];

/** The commands of a group, or of the whole program when the group is ''. */
export function groupHelp(
  group: string,
  commands: readonly Command[],
  groups: Readonly<Record<string, string>>,
): string {
  const inGroup = commands.filter(({ name }) => group === '' || name.startsWith(`${group} `));
  return text([program, group, '<command>', '[options]'].filter(Boolean).join(' '), groups[group] ?? '', [
    ['Commands', inGroup.map(({ name, summary }) => [name, summary])],
    [
      'Options',
      [
        ['--help', 'help, of any command'],
        ['--version', 'version of the program'],
      ],
    ],
  ]);
}

export function commandHelp(command: Command): string {
  const names = command.arguments.map(({ name }) => `<${name}>`);
  const options = Object.entries(command.options).map(([name, option]): [string, string] => [
    option.value ? `--${name} ${option.value}` : `--${name}`,
    optionWords(option),
  ]);
  return text([program, command.name, ...names, '[options]'].join(' '), command.summary, [
    ['Arguments', command.arguments.map(({ name, says }) => [`<${name}>`, says])],
    ['Options', [...options, ['--help', 'this help']]],
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

const optionWords = ({ says, oneOf, required }: Option): string =>
  [says, oneOf && `(${oneOf.join(', ')})`, required && '(required)'].filter(Boolean).join(' ');

function variables(schema: TObject): [string, string][] {
  type Property = { description?: string; enum?: string[]; default?: string | number | boolean };
  return Object.entries(schema.properties as Record<string, Property>).map(([name, property]) => {
    const words = [property.description, property.enum && `(${property.enum.join(', ')})`];
    if (property.default !== undefined && property.default !== '') words.push(`[${property.default}]`);
    return [name, words.filter(Boolean).join(' ')];
  });
}
