import { spawn } from 'node:child_process';
import { existsSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../until.ts';
import { rabbitMissing } from './rabbitmq.ts';

/** Processes with these words in their arguments or environment: the broker, its port mapper, its supervisor. */
function processesWith(...words: string[]): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const [args, env] = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
      return words.every((word) => `${args}${env}`.includes(word));
    } catch {
      return false; // no process, not ours, or gone
    }
  });
}

test('a private RabbitMQ ends with the process that started it, and leaves nothing behind', {
  skip: rabbitMissing() || (existsSync('/proc/self/environ') ? false : 'needs /proc'),
}, async () => {
  // It need not be ready for that: its processes exist at once.
  using folder = mkdtempDisposableSync(join(tmpdir(), 'ohmstead-starter-'));
  const script = `
    const { startRabbit } = await import(process.argv[1]);
    await startRabbit({ nodes: 1, authUrl: 'http://127.0.0.1:1' });`;
  const args = ['--input-type=module', '-e', script, import.meta.resolve('./rabbitmq.ts')];
  const env = { ...process.env, TMPDIR: folder.path };
  const starter = spawn(process.execPath, args, { env, stdio: 'inherit' });
  const place = `${folder.path}/ohmstead-rabbitmq-`;
  await until(() => processesWith(place, 'beam.smp').length > 0);

  starter.kill('SIGKILL');
  await until(() => processesWith(place).length === 0 && readdirSync(folder.path).length === 0);
});
