import { readFile, writeFile } from 'node:fs/promises';
import { configOption, readConfigFile } from '../configuration/config-file.ts';
import { toldMistakes } from '../configuration/configured-env.ts';
import { doubts, type Effective, type EffectiveSetting, effective } from '../configuration/effective.ts';
import { programNames } from '../configuration/programs.ts';
import { command } from '../line/command.ts';
import { columns, jsonOption } from '../terminal/output.ts';

const check = command({
  name: 'config check',
  summary: 'Tell every mistake in the configuration, and what each program would run with',
  options: {
    config: configOption,
    program: { value: 'PROGRAM', oneOf: programNames, says: 'only this one' },
    json: jsonOption,
  },
  examples: ['config check', 'config check --config /etc/ohmstead.yaml --program cloud', 'config check --json'],
  async run({ options }, shell) {
    const file = await readConfigFile(options.config, shell.env);
    const asked = options.program ? [options.program] : programNames;
    const found = asked.map((program) => effective(program, shell.env, file));
    const mistakes = toldMistakes(file, found);
    const warnings = doubts(shell.env, file);
    if (mistakes.length > 0) shell.exitCode = 1;

    if (options.json) {
      const settings = Object.fromEntries(found.map((each) => [each.program, each.settings]));
      const result = { file: file?.path ?? null, ok: mistakes.length === 0, mistakes, warnings, settings };
      shell.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
      return;
    }
    const parts = [
      file
        ? `The configuration file is ${file.path}.`
        : 'There is no configuration file; the environment is all there is.',
      ...found.map(table),
      ...warnings.map((warning) => `Warning: ${warning}`),
      verdict(mistakes),
    ];
    shell.stdout.write(`${parts.join('\n\n')}\n`);
  },
});

const table = ({ program, settings }: Effective): string =>
  `${program}:\n${columns(settings.map((setting) => [`  ${setting.setting}`, shownValue(setting), setting.from]))}`;

const widest = 48;

function shownValue({ value, hidden }: EffectiveSetting): string {
  if (hidden) return `(${hidden})`;
  const [first = '', ...more] = String(value ?? '').split('\n');
  const isCut = first.length > widest || more.length > 0;
  return isCut ? `${first.slice(0, widest - 1)}…` : first || '-';
}

function verdict(mistakes: readonly string[]): string {
  if (mistakes.length === 0) return 'The configuration is right.';
  return ['The configuration is wrong:', ...mistakes].join('\n  ');
}

const schema = command({
  name: 'config schema',
  summary: 'Print a JSON Schema of the configuration file, for editors',
  options: {},
  examples: ['config schema > ohmstead.schema.json'],
  async run(_, shell) {
    const { fileSchema } = await import('../configuration/json-schema.ts');
    shell.stdout.write(`${JSON.stringify(fileSchema(), null, 2)}\n`);
  },
});

const example = command({
  name: 'config example',
  summary: 'Print a configuration file with every setting, its meaning and its default, as comments',
  options: {},
  examples: ['config example > ohmstead.yaml'],
  async run(_, shell) {
    const { exampleFile } = await import('../configuration/example-file.ts');
    shell.stdout.write(exampleFile());
  },
});

const docs = command({
  name: 'config docs',
  summary: 'Write the tables of the settings into a document in Markdown, between its marks',
  arguments: [{ name: 'file', says: 'such as docs/configuration.md' }],
  options: {},
  examples: ['config docs docs/configuration.md'],
  async run({ arguments: { file } }, shell) {
    const { withTables } = await import('../configuration/document.ts');
    await writeFile(file, withTables(await readFile(file, 'utf8')));
    shell.stdout.write(`The tables in ${file} are up to date.\n`);
  },
});

export const configCommands = [check, schema, example, docs];
