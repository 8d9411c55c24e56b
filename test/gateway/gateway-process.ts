import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs, kill } from '../end-process.ts';
import { root } from '../source-files.ts';

type Line = { msg: string; level: string; port: number; serial: string };

/** Starts `ohmstead gateway` on a free port, to be killed. */
export async function startGatewayProcess(folder: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'cli/main.js'), 'gateway'], {
    env: { GATEWAY_DATA_DIR: folder, GATEWAY_PORT: '0', GATEWAY_HOST: '127.0.0.1', MDNS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  const lines: Line[] = [];
  const started = Promise.withResolvers<Line>();
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (line.msg === 'gateway started') started.resolve(line);
  });
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
    kill: () => kill(child),
  };
}
