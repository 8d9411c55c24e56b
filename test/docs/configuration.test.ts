import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { settingsOf } from '#lib/config/setting.ts';
import { checkConfig } from '#lib/config.ts';
import { exampleFile, fileSchema, withTables } from '../../cli/configuration/describe-settings.ts';
import { keyOf, programNames, programs } from '../../cli/configuration/programs.ts';
import { parseConfigFile } from '../../cli/configuration/yaml-file.ts';
import { root } from '../source-files.ts';

const document = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
const validate = new Ajv({ strict: false, validateFormats: false }).compile(fileSchema());

/** The example with all settings uncommented. */
const filledIn = exampleFile().replaceAll(/^ {2}#(?=\S)/gm, '  ');

suite('the configuration', () => {
  test('docs/configuration.md is what `node cli/main.js config docs docs/configuration.md` writes', () => {
    assert.equal(document, withTables(document));
    for (const program of programNames)
      for (const [name] of settingsOf(programs[program])) assert.ok(document.includes(`\n| \`${name}\` | `), name);
  });

  test('a document without the marks is refused with a sentence', () => {
    assert.throws(() => withTables('# Nothing\n'), /has no line <!-- settings of cloud/);
  });

  test('a table that was edited by hand is detected and corrected', () => {
    const changed = document.replace('| `HOST` | `127.0.0.1` |', '| `HOST` | `0.0.0.0` |');
    assert.notEqual(changed, document);
    assert.equal(withTables(changed), document);
  });

  for (const program of programNames) {
    for (const [name, setting] of settingsOf(programs[program])) {
      test(`${name} of ${program} has a description and a valid default`, () => {
        assert.match(setting.description ?? '', /^[^A-Z].*[^.]$|^[A-Z]{2}.*[^.]$|^(PostgreSQL|RabbitMQ)/);
        const { mistakes } = checkConfig(programs[program], { [name]: String(setting.default ?? '') });
        assert.deepEqual(mistakes, []);
      });
    }
  }

  test('the example is a valid file that sets nothing, and shows every setting', () => {
    const { entries, mistakes } = parseConfigFile(exampleFile());
    assert.deepEqual([mistakes, Object.values(entries).flat()], [[], []]);
    for (const program of programNames)
      for (const [name] of settingsOf(programs[program]))
        assert.match(filledIn, new RegExp(`^  ${keyOf(name)}(_file)?: `, 'm'));
  });

  test('the example with everything uncommented is valid, and equals the defaults', () => {
    const { entries, mistakes } = parseConfigFile(filledIn);
    assert.deepEqual(mistakes, []);
    for (const program of programNames) {
      const given = entries[program].filter(({ variable }) => !variable.endsWith('_FILE'));
      const env = Object.fromEntries(given.map(({ variable, text }) => [variable, text]));
      const { values, mistakes: wrong } = checkConfig(programs[program], env);
      assert.deepEqual(wrong, []);
      const valueByName = new Map(Object.entries(values));
      for (const [name, { default: fallback }] of settingsOf(programs[program]))
        if (fallback !== undefined) assert.equal(valueByName.get(name), fallback, name);
    }
  });

  test('the JSON Schema accepts the example, empty and filled in', () => {
    for (const text of [exampleFile(), filledIn]) assert.ok(validate(parse(text)), JSON.stringify(validate.errors));
  });

  for (const { title, file } of [
    { title: 'an unknown key', file: { cloud: { cloud_prot: 1 } } },
    { title: 'an unknown section', file: { cluod: {} } },
    { title: 'an invalid port', file: { gateway: { gateway_port: 70_000 } } },
    { title: 'a word that is not in the list', file: { price: { log_level: 'loud' } } },
    { title: 'an invalid address', file: { cloud: { public_url: 'ftp://x' } } },
  ]) {
    test(`the JSON Schema refuses ${title}`, () => assert.equal(validate(file), false));
  }
});
