import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { until } from '../until.ts';
import { rabbitMissing } from './rabbitmq.ts';

/** Processes that run with `text` in their arguments or environment: the broker, its port mapper, its supervisor. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text));
    } catch {
      return false; // no process, not ours, or gone
    }
  });
}

test('a private RabbitMQ goes with the process that started it, and leaves nothing behind', {
  skip: rabbitMissing() || (existsSync('/proc/self/environ') ? false : 'needs /proc'),
}, async () => {
  const script = `
    const { startRabbit } = await import(process.argv[1]);
    const rabbit = await startRabbit({ nodes: 1, authUrl: 'http://127.0.0.1:1' });
    console.log(rabbit.folder);
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', script, import.meta.resolve('./rabbitmq.ts')];
  const starter = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [folder] = (await once(createInterface(starter.stdout), 'line')) as [string];
  assert.ok(processesWith(folder).length >= 2, 'a supervisor and a node');

  starter.kill('SIGKILL');
  await until(() => !existsSync(folder) && processesWith(folder).length === 0);
});
