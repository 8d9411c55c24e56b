import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { end, endWithUs } from '../end-process.ts';
import { freePort } from '../free-port.ts';
import { root } from '../source-files.ts';
import { programEnvironment } from '../test-environment.ts';

export type Program = {
  url: string;
  /** of the broker; only the platform has one */
  mqttUrl: string;
  /** its log so far */
  lines: readonly string[];
  stop(): Promise<void>;
};

type Start = {
  command: 'cloud' | 'gateway';
  env: Record<string, string>;
  /** wall-clock time at its start */
  at: number;
  /** a checkout of another version */
  checkout?: string;
};

const settings = {
  cloud: { MQTT_PORT: '0', PRICE_KEYLESS: 'false', FX_RATES: 'SEK=11' },
  gateway: { GATEWAY_HOST: '127.0.0.1', MDNS: 'false' },
};

/** Runs `ohmstead cloud` or `ohmstead gateway` of this or another version. */
export async function startProgram({ command, env, at, checkout = root }: Start): Promise<Program> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(checkout, 'cli/main.js'), command], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      ...(checkout === root && programEnvironment),
      ...settings[command],
      [`${command.toUpperCase()}_PORT`]: String(port),
      ...env,
      ...atTime(at),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  const lines: string[] = [];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const closed = once(child, 'close');
  const started = new Promise<Record<string, string>>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (line.includes(`"msg":"${command} started"`)) resolve(JSON.parse(line));
    });
  });
  const failed = closed.then(() => {
    throw new Error(`ohmstead ${command} ended with ${child.exitCode}: ${errors}${lines.slice(-3).join('\n')}`);
  });
  failed.catch(() => {});
  const line = await Promise.race([started, failed]);
  return {
    url: `http://localhost:${port}`,
    mqttUrl: line.mqtt ?? '',
    lines,
    stop: () => end(child),
  };
}

/** Variables that start a program at another wall-clock time. */
const atTime = (at: number): Record<string, string> => ({
  CLOCK_OFFSET_MS: String(at - Date.now()),
  NODE_OPTIONS: `--import ${import.meta.resolve('./clock-offset.ts')}`,
});
