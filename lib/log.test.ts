import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { createLog, type Logger } from './log.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads any line
function linesOf(write: (log: Logger) => void): any[] {
  const lines: string[] = [];
  write(createLog({ level: 'info', name: 'cloud', destination: { write: (line) => lines.push(line) } }));
  return lines.map((line) => JSON.parse(line));
}

test('a line is JSON with ISO time, level, name, fields and message', () => {
  const [line] = linesOf((log) => log.info({ serial: 'gw-1' }, 'gateway claimed'));
  assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { time: _, ...rest } = line;
  assert.deepEqual(rest, { level: 'info', name: 'cloud', serial: 'gw-1', msg: 'gateway claimed' });
});

test('lines below the level are not written', () => {
  assert.deepEqual(
    linesOf((log) => log.debug('bench')),
    [],
  );
});

for (const key of [
  'authorization',
  'password',
  'psk',
  'private_key',
  'client_secret',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'signature',
  'challenge',
  'code_verifier',
  'cookie',
  'validation',
  'set-cookie',
  'Authorization',
]) {
  test(`${key} is redacted at any depth, in bindings and in errors`, () => {
    const failure = Object.assign(
      new Error('refused', { cause: Object.assign(new Error('inner'), { [key]: 'hush' }) }),
      {
        request: { headers: { [key]: ['hush'] } },
      },
    );
    const lines = linesOf((log) => {
      log.info({ [key]: 'hush', a: { b: [{ c: { [key]: { d: 'hush' } } }] } }, 'seen');
      log
        .child({ [key]: 'hush' })
        .child({ a: { [key]: 'hush "\\' } })
        .info('seen');
      log.error(failure, 'failed');
    });
    assert.equal(lines.length, 3);
    assert.doesNotMatch(JSON.stringify(lines), /hush/);
    assert.equal(lines[0].a.b[0].c[key], '[redacted]');
  });
}

test('a redacted line keeps everything else, and the caller keeps its object', () => {
  const body = { token: 'hush', token_type: 'bearer', tokens: 3 };
  const [line] = linesOf((log) => log.info({ body }, 'token issued'));
  assert.deepEqual(line.body, { token: '[redacted]', token_type: 'bearer', tokens: 3 });
  assert.equal(line.msg, 'token issued');
  assert.equal(body.token, 'hush');
});

test('an error is written with its cause', () => {
  const [line] = linesOf((log) => log.error(new Error('outer', { cause: new TypeError('inner') }), 'failed'));
  assert.equal(line.err.message, 'outer');
  assert.match(line.err.stack, /log\.test\.ts/);
  assert.equal(line.err.cause.type, 'TypeError');
  assert.equal(line.err.cause.message, 'inner');
});

function standardOutputOf({ isTTY }: { isTTY: boolean }): string {
  const program = `
    process.stdout.isTTY = ${isTTY};
    const { createLog } = await import(process.argv[1]);
    const log = createLog({ level: 'info', name: 'cloud' });
    log.info({ serial: 'gw-1', token: 'hush', power_w: 5 }, 'gateway \\u001b[31mclaimed');
    log.error(new Error('outer', { cause: new Error('inner') }), 'claim failed');
  `;
  const module = new URL('./log.ts', import.meta.url).href;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program, module], { encoding: 'utf8' });
}

test('standard output that is not a terminal gets JSON lines', () => {
  const lines = standardOutputOf({ isTTY: false }).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).level),
    ['info', 'error'],
  );
});

test('a terminal gets short lines without control characters, with the stacks of an error and its cause', () => {
  const [first = '', second = '', ...rest] = standardOutputOf({ isTTY: true }).trimEnd().split('\n');
  const facts = 'gateway ?[31mclaimed serial="gw-1" token="[redacted]" power_w=5';
  assert.equal(first.replace(/^\d\d:\d\d:\d\d\.\d{3} /, ''), `INFO  cloud: ${facts}`);
  assert.match(second, /ERROR cloud: claim failed$/);
  assert.match(rest.join('\n'), /^ {2}Error: outer\n {6}at [\s\S]*\n {2}caused by\n {2}Error: inner\n/);
});
