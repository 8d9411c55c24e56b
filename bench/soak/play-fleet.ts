import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hasEnded, kill } from '#test/end-process.ts';
import type { FleetResult } from '../../cli/commands/sim-fleet.ts';
import type { ServerProcess } from '../measure/server-process.ts';

export type Verdict = FleetResult;

export type PlayedFleet = AsyncDisposable & { isOver(): boolean; verdict: Promise<Verdict> };

const program = fileURLToPath(import.meta.resolve('../../cli/main.js'));
const size = { gateways: 1000, drops: 60 };

export type Play = {
  folder: string;
  keyFile: string;
  minutes: number;
  /** readings per second */
  rate: number;
};

/** Runs `ohmstead sim fleet`; resolves when its gateways are claimed and publish. */
export async function playFleet(
  { url, mqttUrl }: ServerProcess,
  { folder, keyFile, minutes, rate }: Play,
): Promise<PlayedFleet> {
  const ledger = join(folder, `ledger-${rate}.jsonl`);
  const given = { ...size, rate, minutes, url, mqtt: mqttUrl!, key: keyFile, state: join(folder, 'fleet'), ledger };
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [program, 'sim', 'fleet', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const isOver = (): boolean => hasEnded(child);
  const verdict = text(child.stdout).then((said) => JSON.parse(said) as Verdict);
  verdict.catch(() => {}); // the caller of `verdict` handles it
  while (!existsSync(ledger) && !isOver()) await sleep(100);
  return {
    isOver,
    verdict,
    async [Symbol.asyncDispose]() {
      await kill(child);
      await verdict.catch(() => {});
    },
  };
}
