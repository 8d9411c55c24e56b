import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { signalEchoMs } from './lifecycle.ts';

type Outcome = { code: number | null; said: string };

/** Runs a program whose shutdown is `close`, sends it the next signal whenever it says `now`, and waits for its end. */
async function shutDown(t: TestContext, close: string, signals: NodeJS.Signals[], timeoutMs = 5000): Promise<Outcome> {
  const program = `
    const { onShutdown } = await import(process.argv[1]);
    const log = { info: (...said) => console.log(...said), error: (...said) => console.log(...said) };
    onShutdown(async () => { ${close} }, { timeoutMs: ${timeoutMs}, log });
    setInterval(() => {}, 1000);
    console.log('now');
  `;
  const module = new URL('./lifecycle.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, module], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));

  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
    const signal = /now/.test(String(data)) ? signals.shift() : undefined;
    if (signal) child.kill(signal);
  });
  const [code] = await once(child, 'close');
  return { code, said };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} closes and exits 0`, async (t) => {
    const { code, said } = await shutDown(t, `console.log('closed')`, [signal]);
    assert.equal(code, 0);
    assert.match(said, /closed\nshutdown completed/);
  });
}

test('a second signal exits at once', async (t) => {
  const patience = `setTimeout(() => console.log('now'), ${signalEchoMs}); await new Promise(() => {})`;
  const { code, said } = await shutDown(t, patience, ['SIGTERM', 'SIGINT']);
  assert.equal(code, 1);
  assert.match(said, /second signal/);
});

test('a Ctrl-C that both the terminal and npm deliver counts once', async (t) => {
  const twice = `process.kill(process.pid, 'SIGINT'); await new Promise((done) => setTimeout(done, 50))`;
  const { code, said } = await shutDown(t, twice, ['SIGINT']);
  assert.equal(code, 0);
  assert.match(said, /shutdown completed/);
});

test('a shutdown that takes too long is cut off', async (t) => {
  const { code, said } = await shutDown(t, 'await new Promise(() => {})', ['SIGTERM'], 50);
  assert.equal(code, 1);
  assert.match(said, /timed out/);
});

test('a failed shutdown logs the reason and exits 1', async (t) => {
  const { code, said } = await shutDown(t, `throw new Error('disk full')`, ['SIGTERM']);
  assert.equal(code, 1);
  assert.match(said, /disk full/);
});
