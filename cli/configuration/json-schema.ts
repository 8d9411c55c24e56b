import { type Setting, settingsOf } from '#lib/config/setting.ts';
import { fileVariable } from '#lib/config.ts';
import { keyOf, type Program, programNames, programs } from './programs.ts';
import { meaning, plainMeaning } from './setting-text.ts';

const constraints = [
  'type',
  'enum',
  'default',
  'examples',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
];

/** The configuration file for editors, as a JSON Schema of the draft that most of them know. */
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
      [keyOf(fileVariable(name)), { type: 'string', description: `File that holds the value of ${keyOf(name)}` }],
    ]),
  ),
});

const settingSchema = (setting: Setting): object => ({
  ...Object.fromEntries(Object.entries(setting).filter(([keyword]) => constraints.includes(keyword))),
  ...(setting.secret && { writeOnly: true }),
  description: plainMeaning(setting),
  markdownDescription: meaning(setting), // of editors built on the language server of Microsoft
});
