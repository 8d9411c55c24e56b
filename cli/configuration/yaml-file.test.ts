import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseConfigFile } from './yaml-file.ts';

const mistakesIn = (text: string): string[] =>
  parseConfigFile(text)
    .mistakes.toSorted((a, b) => a.line - b.line)
    .map(({ line, column, message: says }) => `${line}:${column} ${says}`);

suite('a configuration file', () => {
  for (const { says, value, text } of [
    { says: 'a number', value: '8080', text: '8080' },
    { says: 'a number in quotes', value: '"8080"', text: '8080' },
    { says: 'a word that is a number to others', value: '0123e4', text: '0123e4' },
    { says: 'a switch', value: 'no', text: 'no' },
    { says: 'a quoted star', value: "'*'", text: '*' },
    { says: 'a colon', value: 'http://localhost:1', text: 'http://localhost:1' },
    { says: 'a comment behind it', value: 'x # not this', text: 'x' },
    { says: 'several lines, without the last break', value: '|\n    a\n    b\n', text: 'a\nb' },
  ]) {
    test(`${says} is taken as it would stand in a variable`, () => {
      const { entries, mistakes } = parseConfigFile(`cloud:\n  host: ${value}\n`);
      assert.deepEqual(mistakes, []);
      assert.deepEqual(entries.cloud, [{ variable: 'HOST', setting: 'HOST', key: 'host', text, line: 2, column: 9 }]);
    });
  }

  for (const text of [
    '',
    '# nothing\n',
    'cloud:\n',
    'cloud: {}\n',
    'cloud: ~\n',
    'cloud:\n  host:\n  data_dir: ""\n',
  ]) {
    test(`${JSON.stringify(text)} sets nothing`, () => {
      const { entries, mistakes } = parseConfigFile(text);
      assert.deepEqual([mistakes, Object.values(entries).flat()], [[], []]);
    });
  }

  test('an alias gives what it names', () => {
    const { entries, mistakes } = parseConfigFile('cloud:\n  host: &all 0.0.0.0\n  mqtt_host: *all\n');
    assert.deepEqual(mistakes, []);
    assert.deepEqual(
      entries.cloud.map(({ variable, text, line }) => [variable, text, line]),
      [
        ['HOST', '0.0.0.0', 2],
        ['MQTT_HOST', '0.0.0.0', 3],
      ],
    );
  });

  for (const { text, mistakes } of [
    {
      text: 'cloud:\n  cloud_prot: 1\n',
      mistakes: ['2:3 cloud_prot is not a setting of cloud; did you mean cloud_port?'],
    },
    { text: 'cloud:\n  HOST: x\n', mistakes: ['2:3 HOST is not a setting of cloud; did you mean host?'] },
    { text: 'cloud:\n  flux: x\n', mistakes: ['2:3 flux is not a setting of cloud.'] },
    {
      text: 'cloud:\n  database_url_fil: x\n',
      mistakes: ['2:3 database_url_fil is not a setting of cloud; did you mean database_url_file?'],
    },
    {
      text: 'cloud:\n  harvest_ms: 5\n',
      mistakes: ['2:3 harvest_ms is not a setting of cloud; it belongs under gateway:.'],
    },
    { text: 'harvest_ms: 5\n', mistakes: ['1:1 harvest_ms is not a section; put it under gateway:.'] },
    { text: 'gatway: {}\n', mistakes: ['1:1 gatway is not a section; did you mean gateway?'] },
    { text: 'cloud:\n  host: a\n  host: b\n', mistakes: ['3:3 host is set twice.'] },
    { text: 'cloud: {}\nprice: {}\ncloud: {}\n', mistakes: ['3:1 cloud is set twice.'] },
    {
      text: 'cloud:\n  host: a\n  host_file: b\n',
      mistakes: ['3:3 host_file and host are both set; use only one.'],
    },
    { text: 'cloud:\n  host: [a, b]\n', mistakes: ['2:9 host is a list; expected a single value.'] },
    { text: 'cloud:\n  host: {a: b}\n', mistakes: ['2:9 host is a mapping; expected a single value.'] },
    {
      text: 'cloud: yes\n',
      mistakes: ['1:8 cloud is a single value; expected one key: value per line.'],
    },
    { text: '- a\n', mistakes: ['1:1 The file is a list; expected one key: value per line.'] },
    { text: 'cloud:\n\thost: a\n', mistakes: ['2:1 Indented with a tab; use spaces.'] },
    {
      text: 'cloud:\n    host: a\n  data_dir: b\n',
      mistakes: ['3:1 The indentation differs from the lines around it.'],
    },
    {
      text: 'cloud:\n  host: "a\n',
      mistakes: ['3:1 A quote, bracket, brace, comma or colon is missing.'],
    },
    { text: 'cloud: {}\n---\nprice: {}\n', mistakes: ['2:1 A second document starts here; only one is allowed.'] },
    {
      text: 'cloud:\n  host: @a\n  prot: 1\n',
      mistakes: [
        '2:9 The value starts with a character that has a special meaning in YAML; put it in quotes.',
        '3:3 prot is not a setting of cloud.',
      ],
    },
    {
      text: 'cloud:\n  prot: 1\n\thost: a\n',
      mistakes: ['2:3 prot is not a setting of cloud.', '3:1 Indented with a tab; use spaces.'],
    },
  ]) {
    test(`${JSON.stringify(text)} is explained`, () => assert.deepEqual(mistakesIn(text), mistakes));
  }

  for (const text of [
    'cloud:\n  internal_token: *hunter2\n',
    'cloud:\n  internal_token: !hunter2 x\n',
    'cloud:\n  internal_token: @hunter2\n',
    'cloud:\n  internal_token: "\\xhunter2"\n',
    'cloud:\n  internal_token: x: hunter2\n',
    'cloud: {internal_token: x, hunter2 and more}\n',
    'cloud:\n  internal_token: [hunter2]\n',
    'cloud:\n  internal_token: "hunter2\n',
    'cloud:\n  ? [hunter2]\n  : x\n',
  ]) {
    test(`messages about ${JSON.stringify(text)} contain no part of the secret`, () => {
      const mistakes = mistakesIn(text);
      assert.ok(mistakes.length > 0);
      assert.doesNotMatch(mistakes.join(), /hunter2/);
    });
  }

  for (const { says, text } of [
    { says: 'lists without end', text: '['.repeat(65_000) },
    { says: 'mappings without end', text: `cloud: ${'{host: '.repeat(9000)}` },
    { says: 'thousands of keys', text: `cloud:\n${Array.from({ length: 8000 }, (_, n) => `  k${n}:\n`).join('')}` },
    {
      says: 'aliases of aliases',
      text: `a: &a [${'x, '.repeat(9)}x]\n${Array.from({ length: 25 }, (_, n) => {
        const [name, before] = [n + 98, n + 97].map((code) => String.fromCharCode(code));
        return `${name}: &${name} [${`*${before}, `.repeat(9)}*${before}]\n`;
      }).join('')}cloud: {host: *z}\n`,
    },
  ]) {
    test(`${says} cost a moment, and are refused`, () => {
      const before = process.cpuUsage();
      assert.ok(mistakesIn(text).length > 0);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 5_000_000, `took ${user + system} µs`);
    });
  }
});
