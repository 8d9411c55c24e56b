import { readFile, writeFile } from 'node:fs/promises';
import { configOption, describeMistakes, readConfigFile } from '../configuration/configured-env.ts';
import {
  configWarnings,
  type EffectiveConfig,
  type EffectiveSetting,
  effectiveConfig,
} from '../configuration/effective-config.ts';
import { programNames } from '../configuration/programs.ts';
import { command } from '../line/command.ts';
import { report } from '../line/report.ts';
import { columns } from '../terminal/output.ts';

const check = report('config check', {
  summary: 'Check the configuration and show the effective settings of each program',
  options: {
    config: configOption,
    program: { value: 'PROGRAM', oneOf: programNames, help: 'check only this program' },
  },
  examples: ['config check', 'config check --config /etc/ohmstead.yaml --program cloud', 'config check --json'],
  async run({ options }, shell) {
    const file = await readConfigFile(options.config, shell.env);
    const asked = options.program ? [options.program] : programNames;
    const found = asked.map((program) => effectiveConfig(program, shell.env, file));
    const mistakes = describeMistakes(file, found);
    const warnings = configWarnings(shell.env, file);
    if (mistakes.length > 0) shell.exitCode = 1;

    const settings = Object.fromEntries(found.map((each) => [each.program, each.settings]));
    const parts = [
      file
        ? `The configuration file is ${file.path}.`
        : 'There is no configuration file: settings come from the environment.',
      ...found.map(table),
      ...warnings.map((warning) => `Warning: ${warning}`),
      verdict(mistakes),
    ];
    return {
      result: { file: file?.path ?? null, ok: mistakes.length === 0, mistakes, warnings, settings },
      text: parts.join('\n\n'),
    };
  },
});

const table = ({ program, settings }: EffectiveConfig): string =>
  `${program}:\n${columns(settings.map((setting) => [`  ${setting.setting}`, shownValue(setting), setting.from]))}`;

const maxValueWidth = 48;

function shownValue({ value, hidden }: EffectiveSetting): string {
  if (hidden) return `(${hidden})`;
  const [first = '', ...more] = String(value ?? '').split('\n');
  const isCut = first.length > maxValueWidth || more.length > 0;
  return isCut ? `${first.slice(0, maxValueWidth - 1)}…` : first || '-';
}

function verdict(mistakes: readonly string[]): string {
  if (mistakes.length === 0) return 'The configuration is valid.';
  return ['The configuration is invalid:', ...mistakes].join('\n  ');
}

const schema = command('config schema', {
  summary: 'Print a JSON Schema of the configuration file for editors',
  options: {},
  examples: ['config schema > ohmstead.schema.json'],
  async run(_, shell) {
    const { fileSchema } = await import('../configuration/describe-settings.ts');
    shell.stdout.write(`${JSON.stringify(fileSchema(), null, 2)}\n`);
  },
});

const example = command('config example', {
  summary: 'Print a configuration file with every setting, its meaning and its default, as comments',
  options: {},
  examples: ['config example > ohmstead.yaml'],
  async run(_, shell) {
    const { exampleFile } = await import('../configuration/describe-settings.ts');
    shell.stdout.write(exampleFile());
  },
});

const docs = command('config docs', {
  summary: 'Update the tables of settings in a Markdown document',
  arguments: [{ name: 'file', help: 'for example docs/configuration.md' }],
  options: {},
  examples: ['config docs docs/configuration.md'],
  async run({ arguments: { file } }, shell) {
    const { withTables } = await import('../configuration/describe-settings.ts');
    await writeFile(file, withTables(await readFile(file, 'utf8')));
    shell.stdout.write(`The tables in ${file} are up to date.\n`);
  },
});

export const commands = [check, schema, example, docs];
