import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../source-files.ts';

type Line = { msg: string; level: string; port: number; serial: string };

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** `ohmstead gateway` on any free port, to be killed. */
export async function startGatewayProcess(folder: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'cli/main.js'), 'gateway'], {
    env: { GATEWAY_DATA_DIR: folder, GATEWAY_PORT: '0', GATEWAY_HOST: '127.0.0.1', MDNS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const lines: Line[] = [];
  const started = Promise.withResolvers<Line>();
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (line.msg === 'gateway started') started.resolve(line);
  });
  const ended = once(child, 'exit').finally(() => running.delete(child));
  child.once('exit', () => started.reject(new Error(`It ended: ${JSON.stringify(lines)}`)));
  const { port, serial } = await started.promise;

  return {
    serial,
    errors: () => lines.filter(({ level }) => level === 'error'),
    async call(method: string, path: string, body?: unknown) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
      return { status: answer.status, body: (await answer.json()) as any };
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
