import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, endWithUs, kill } from '#test/end-process.ts';
import type { ServerProcess, Usage } from '../measure/server-process.ts';
import { usageOf } from './process-usage.ts';

export type Program = {
  file: string;
  args: string[];
  env?: Record<string, string>;
  /** Throws while it does not answer. */
  answers(): Promise<unknown>;
};

export type PeerProcess = Pick<ServerProcess, 'usage' | 'cpuUs'> &
  AsyncDisposable & {
    /** Kills it and starts it again on the same files. */
    killAndRestart(): Promise<void>;
    /** Shuts it down and starts it again, with additional settings. */
    restart(env: Record<string, string>): Promise<void>;
  };

const patienceMs = 60_000;

/** Starts another program; resolves when it answers. It exits with this process. */
export async function startPeer(program: Program): Promise<PeerProcess> {
  let child: ChildProcess;

  async function begin(env: Record<string, string> = {}): Promise<void> {
    child = spawn(program.file, program.args, { env: { ...program.env, ...env }, stdio: 'ignore' });
    endWithUs(child);
    await untilAnswering(program, child);
  }
  const stop = (): Promise<void> => kill(child);

  await begin().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const usage = async (): Promise<Usage> => usageOf(child.pid!);
  return {
    usage,
    cpuUs: async () => (await usage()).cpuUs,
    async killAndRestart() {
      await stop();
      await begin();
    },
    async restart(env) {
      await end(child, patienceMs);
      await begin(env);
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function untilAnswering({ file, answers }: Program, child: ChildProcess): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode} before it answered.`);
    try {
      return void (await answers());
    } catch (error) {
      if (performance.now() > until) throw new Error(`${file} does not answer.`, { cause: error });
      await sleep(20);
    }
  }
}
