import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '#test/temporary-folder.ts';
import type { EffectiveSetting } from '../configuration/effective-config.ts';
import { runCloud } from '../testing/child-process.ts';
import { resultOf, runInProcess } from '../testing/in-process.ts';

const program = fileURLToPath(new URL('../main.js', import.meta.url));

function scratch(t: TestContext, files: Record<string, string | Buffer> = {}): (name: string) => string {
  const folder = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 });
  return (name) => join(folder, name);
}

type Checked = {
  file: string | null;
  ok: boolean;
  mistakes: string[];
  warnings: string[];
  settings: Record<string, EffectiveSetting[]>;
};

const settingIn = ({ settings }: Checked, program: string, name: string): EffectiveSetting | undefined =>
  settings[program]?.find(({ setting }) => setting === name);

suite('the configuration file', () => {
  test('gives the platform its settings, and the commands of its operator the same', async (t) => {
    const path = scratch(t);
    const env = { OHMSTEAD_CONFIG: path('o.yaml') };
    writeFileSync(path('o.yaml'), `cloud:\n  data_dir: ${path('here')}\n  cloud_port: 1\n  mqtt_port: 0\n`);
    const cloud = await runCloud(t, env); // its CLOUD_PORT wins
    assert.equal((await fetch(`${cloud.url}/health`)).status, 200);
    const keys = await resultOf<unknown[]>(['admin', 'keys', 'list'], env);
    assert.ok(keys.length > 0);
    await cloud.stop();
    assert.ok(existsSync(path('here/cloud.db')));
  });

  test('is ./ohmstead.yaml when no other is named, and is not asked for when it is not there', (t) => {
    const path = scratch(t, { 'ohmstead.yaml': 'price:\n  price_port: 70000\n', 'other.yaml': '' });
    const run = (args: string[], env = {}) =>
      spawnSync(process.execPath, [program, ...args], { cwd: path('.'), env, encoding: 'utf8' });
    assert.match(
      run(['price']).stderr,
      /^The configuration is invalid:\n {2}ohmstead\.yaml:2:15 price_port is "70000"; /,
    );
    for (const { args, env } of [
      { args: ['--config', 'other.yaml'], env: {} },
      { args: [], env: { OHMSTEAD_CONFIG: 'other.yaml' } },
      { args: [], env: { PRICE_PORT: '8082' } },
    ]) {
      assert.equal(run(['config', 'check', ...args], env).status, 0);
    }
    rmSync(path('ohmstead.yaml'));
    assert.match(run(['config', 'check']).stdout, /^There is no configuration file/);
  });

  for (const { args, says } of [
    {
      args: ['up'],
      says: /o\.yaml:3:15 cloud_port .*\n {2}.*o\.yaml:5:15 harvest_ms .*\n {2}.*o\.yaml:7:15 price_port /,
    },
    { args: ['cloud'], says: /o\.yaml:3:15 cloud_port .*\n {2}.*o\.yaml:7:15 price_port .*\n {2}TOKEN_HOURS .*\n$/ },
    { args: ['gateway'], says: /invalid:\n {2}.*o\.yaml:5:15 harvest_ms .*\n$/ },
    { args: ['price'], says: /invalid:\n {2}.*o\.yaml:7:15 price_port .*\n$/ },
    { args: ['admin', 'keys', 'list'], says: /invalid:\n {2}.*o\.yaml:3:15 cloud_port .*\n {2}TOKEN_HOURS .*\n$/ },
  ]) {
    test(`${args.join(' ')} tells every mistake of its sections and of its environment`, async (t) => {
      const path = scratch(t, {
        'o.yaml': 'cloud:\n  # wrong\n  cloud_port: x\ngateway:\n  harvest_ms: 1\nprice:\n  price_port: x\n',
      });
      const { code, err } = await runInProcess([...args, '--config', path('o.yaml')], { TOKEN_HOURS: '-1' });
      assert.equal(code, 1);
      assert.match(err, says);
    });
  }

  for (const { says, content, message } of [
    { says: 'missing', content: undefined, message: /Cannot read .*o\.yaml: ENOENT/ },
    { says: 'a folder', content: 'folder', message: /Cannot read .*o\.yaml: EISDIR/ },
    { says: 'not UTF-8', content: Buffer.from([0x61, 0xff]), message: /Cannot read .*o\.yaml: it is not UTF-8\.\n$/ },
    { says: 'huge', content: Buffer.alloc(70_000, '#'), message: /o\.yaml is larger than 65536 bytes\.\n$/ },
  ]) {
    test(`that is named and is ${says} ends the start with a sentence`, async (t) => {
      const path = scratch(t, content && content !== 'folder' ? { 'o.yaml': content } : {});
      if (content === 'folder') mkdirSync(path('o.yaml'));
      const { code, err } = await runInProcess(['gateway'], { OHMSTEAD_CONFIG: path('o.yaml') });
      assert.equal(code, 1);
      assert.match(err, message);
    });
  }

  test('is read by a parser that a start without a file does not load', (t) => {
    const path = scratch(t, { 'ohmstead.yaml': '' });
    const tell = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) { if (name === 'yaml') console.log('parser'); return next(name, context); } });`;
    const loads = (): boolean =>
      spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, program, 'cloud'], {
        cwd: path('.'),
        env: { CLOUD_PORT: 'x' },
        encoding: 'utf8',
      }).stdout.includes('parser');
    assert.equal(loads(), true);
    rmSync(path('ohmstead.yaml'));
    assert.equal(loads(), false);
  });
});

suite('config check', () => {
  test('tells what each program runs with and where it is from', async (t) => {
    const path = scratch(t, { token: 'from a file of its own' });
    writeFileSync(
      path('o.yaml'),
      `cloud:\n  cloud_port: 9000\n  mqtt_port: 9001\n  internal_token_file: ${path('token')}\ngateway:\n  log_level: debug\n`,
    );
    const env = { MQTT_PORT: '9002', DATABASE_URL_FILE: path('url'), PRICE_PORT: '9003' };
    writeFileSync(path('url'), 'postgres://me:hunter2@db/x');
    const args = ['config', 'check', '--config', path('o.yaml')];
    const checked = await resultOf<Checked>(args, env);
    assert.deepEqual([checked.ok, checked.mistakes, checked.file], [true, [], path('o.yaml')]);
    const file = path('o.yaml');
    for (const [program, expected] of [
      ['cloud', { setting: 'HOST', value: '127.0.0.1', from: 'default' }],
      ['cloud', { setting: 'PUBLIC_URL', value: null, from: 'not set' }],
      ['cloud', { setting: 'CLOUD_PORT', value: 9000, from: `${file}:2` }],
      ['cloud', { setting: 'MQTT_PORT', value: 9002, from: 'environment' }],
      ['cloud', { setting: 'LOG_LEVEL', value: 'info', from: 'default' }],
      ['gateway', { setting: 'LOG_LEVEL', value: 'debug', from: `${file}:6` }],
      ['price', { setting: 'PRICE_PORT', value: 9003, from: 'environment' }],
      [
        'cloud',
        { setting: 'INTERNAL_TOKEN', value: null, hidden: 'secret', from: `${file}:4, by internal_token_file` },
      ],
      ['cloud', { setting: 'DATABASE_URL', value: null, hidden: 'secret', from: 'environment, by DATABASE_URL_FILE' }],
    ] as const) {
      assert.deepEqual(settingIn(checked, program, expected.setting), expected);
    }
    const { out } = await runInProcess(args, env);
    assert.match(out, /CLOUD_PORT +9000 +\S+o\.yaml:2\n/);
    assert.doesNotMatch(out + JSON.stringify(checked), /hunter2|file of its own/);
  });

  test('tells every mistake of all programs at once, without a secret, and ends with 1', async (t) => {
    const path = scratch(t, {
      'o.yaml': 'cloud:\n  internal_token: hunter2\n  cloud_prot: 1\ngateway:\n  local_token_file: /hunter2\n',
    });
    const env = {
      PRICE_PORT: 'x',
      MQTT_TLS_CERT: 'hunter2',
      TRUST_PROXY: 'x',
      GATEWAY_TARGETS: 'x',
      UPLINK_CA: 'hunter2',
    };
    const { code, out } = await runInProcess(['config', 'check', '--json', '--config', path('o.yaml')], env);
    const { ok, mistakes } = JSON.parse(out) as Checked;
    assert.deepEqual([code, ok], [1, false]);
    const place = (line: number, column: number): string => `${path('o.yaml')}:${line}:${column}`;
    assert.deepEqual(
      mistakes.map((mistake) => mistake.split(/; expected|, matching/)[0]),
      [
        `${place(2, 19)} internal_token is set to a secret that does not fit`,
        `${place(3, 3)} cloud_prot is not a setting of cloud; did you mean cloud_port?`,
        `${place(5, 21)} local_token_file does not name a readable file (ENOENT).`,
        'MQTT_TLS_CERT is set to something else',
        'TRUST_PROXY is "x"',
        'MQTT_TLS_CERT is set without MQTT_TLS_KEY; it needs both.',
        'GATEWAY_TARGETS is "x"',
        'UPLINK_CA is set to something else',
        'PRICE_PORT is "x"',
      ],
    );
    assert.doesNotMatch(out, /hunter2/);
  });

  test('checks only one program with --program', async () => {
    const env = { PRICE_PORT: 'x' };
    assert.equal((await runInProcess(['config', 'check', '--program', 'price'], env)).code, 1);
    const { settings } = await resultOf<Checked>(['config', 'check', '--program', 'cloud'], env);
    assert.deepEqual(Object.keys(settings), ['cloud']);
  });

  test('doubts a folder of own tariffs that is not there', async () => {
    const { ok, warnings } = await resultOf<Checked>(['config', 'check'], { TARIFF_DIR: '/nonexistent' });
    assert.deepEqual([ok, warnings], [true, ['TARIFF_DIR is "/nonexistent", which is not a folder.']]);
  });

  test('doubts variables that are nearly settings, and secrets that others can read', async (t) => {
    const path = scratch(t, { 'o.yaml': 'cloud:\n  internal_token: 0123456789abcdef\n' });
    const env = { CLOUD_PROT: '1', DATABASE_URL_FIEL: 'x', HOSTNAME: 'x', HOME: '/x', PORT: '1', XDG_DATA_DIRS: '/x' };
    const args = ['config', 'check', '--config', path('o.yaml')];
    const nearly = [
      'No program reads the variable CLOUD_PROT; did you mean CLOUD_PORT?',
      'No program reads the variable DATABASE_URL_FIEL; did you mean DATABASE_URL_FILE?',
    ];
    assert.deepEqual((await resultOf<Checked>(args, env)).warnings, nearly);
    rmSync(path('o.yaml'));
    writeFileSync(path('o.yaml'), 'cloud:\n  internal_token: 0123456789abcdef\n', { mode: 0o644 });
    const { warnings } = await resultOf<Checked>(args);
    assert.match(
      warnings.join(),
      /^\S+o\.yaml contains internal_token and other users can read it \(mode 644\); run: chmod 600 /,
    );
  });
});

test('config schema and config example print what editors and people take', async () => {
  const schema = JSON.parse((await runInProcess(['config', 'schema'])).out) as { properties: object };
  assert.deepEqual(Object.keys(schema.properties), ['cloud', 'gateway', 'price']);
  assert.match(
    (await runInProcess(['config', 'example'])).out,
    /^cloud:\n {2}# Address to listen on\.\n {2}#host: 127\.0\.0\.1\n/m,
  );
});
