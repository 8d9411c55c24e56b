import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Type } from '#contract/schema.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { ConfigError, readConfig } from './config.ts';

const Config = Type.Object({
  PORT: Type.Integer({ default: 8080, minimum: 1, maximum: 65535, description: 'where to listen' }),
  RATIO: Type.Number({ default: 0.5, exclusiveMinimum: 0 }),
  SECURE: Type.Boolean({ default: true }),
  LEVEL: Type.Enum(['debug', 'info'], { default: 'info' }),
  URL: Type.String({ format: 'uri', default: 'http://localhost/' }),
  KEY: Type.String({ minLength: 8, secret: true, default: 'long enough' }),
  NOTE: Type.Optional(Type.String()),
});

const defaults = { PORT: 8080, RATIO: 0.5, SECURE: true, LEVEL: 'info', URL: 'http://localhost/', KEY: 'long enough' };

const folder = temporaryFolder({ after });

function fileOf(content: string): string {
  const path = join(folder, `${content.length}`);
  writeFileSync(path, content);
  return path;
}

for (const { says, env, expected } of [
  { says: 'an empty environment gives the defaults', env: {}, expected: {} },
  { says: 'an empty variable is not set', env: { PORT: '', NOTE: '' }, expected: {} },
  { says: 'unknown variables are ignored', env: { PATH: '/bin' }, expected: {} },
  { says: 'an integer is read', env: { PORT: '443' }, expected: { PORT: 443 } },
  { says: 'a number is read', env: { RATIO: '1.5e-2' }, expected: { RATIO: 0.015 } },
  { says: 'an enum is read', env: { LEVEL: 'debug' }, expected: { LEVEL: 'debug' } },
  { says: 'an optional value is read', env: { NOTE: '12' }, expected: { NOTE: '12' } },
  { says: 'a file gives its value', env: { KEY_FILE: fileOf('from a file\n') }, expected: { KEY: 'from a file' } },
  { says: 'one newline is trimmed', env: { NOTE_FILE: fileOf(' a\n\r\n') }, expected: { NOTE: ' a\n' } },
  { says: 'a file gives a number', env: { PORT_FILE: fileOf('80') }, expected: { PORT: 80 } },
  { says: 'an empty file does not set the value', env: { KEY_FILE: fileOf('\n') }, expected: {} },
]) {
  test(says, () => assert.deepEqual(readConfig(Config, env), { ...defaults, ...expected }));
}

for (const [word, value] of Object.entries({
  1: true,
  true: true,
  YES: true,
  on: true,
  0: false,
  False: false,
  no: false,
  off: false,
})) {
  test(`${word} means ${value}`, () => assert.equal(readConfig(Config, { SECURE: word }).SECURE, value));
}

for (const { env, message } of [
  {
    env: { PORT: '70000' },
    message: 'PORT is "70000"; expected an integer, at least 1, at most 65535 (where to listen).',
  },
  { env: { PORT: '80.5' }, message: /PORT is "80.5"; expected an integer/ },
  { env: { PORT: '0x50' }, message: /PORT is "0x50"/ },
  { env: { PORT: ' ' }, message: /PORT is " "/ },
  { env: { RATIO: '1e999' }, message: 'RATIO is "1e999"; expected a number, more than 0.' },
  { env: { SECURE: 'maybe' }, message: 'SECURE is "maybe"; expected true or false.' },
  { env: { LEVEL: 'loud' }, message: 'LEVEL is "loud"; expected one of debug, info.' },
  { env: { URL: 'not a url' }, message: 'URL is "not a url"; expected text, in the format uri.' },
  { env: { NOTE: 'a', NOTE_FILE: 'b' }, message: 'NOTE and NOTE_FILE are both set; expected one of them.' },
  { env: { NOTE_FILE: join(folder, 'none') }, message: /NOTE_FILE is ".*none"; expected a readable file .*ENOENT/ },
]) {
  test(`${JSON.stringify(env)} is explained`, () => {
    const line = typeof message === 'string' ? `The configuration is invalid:\n  ${message}` : message;
    assert.throws(() => readConfig(Config, env), { name: 'ConfigError', message: line });
  });
}

test('a missing value without a default is a mistake', () => {
  const schema = Type.Object({ DATABASE_URL: Type.String({ description: 'of PostgreSQL' }) });
  assert.throws(() => readConfig(schema, {}), { message: /DATABASE_URL is not set; expected text \(of PostgreSQL\)/ });
});

test('a secret is never shown', () => {
  for (const env of [{ KEY: 'hush' }, { KEY_FILE: fileOf('hush') }]) {
    assert.throws(
      () => readConfig(Config, env),
      (error) =>
        error instanceof ConfigError && /KEY .*length at least 8/.test(error.message) && !/hush/.test(error.message),
    );
  }
});

test('every mistake is reported at once', () => {
  assert.throws(() => readConfig(Config, { PORT: 'a', SECURE: 'b', KEY_FILE: '/none' }), {
    message: /^The configuration is invalid:\n {2}PORT .*\n {2}SECURE .*\n {2}KEY_FILE .*$/,
  });
});
