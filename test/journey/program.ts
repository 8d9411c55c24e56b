import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnCli } from '../../cli/testing/child-process.ts';
import { endWithUs, kill } from '../end-process.ts';

/** A program of `ohmstead` in a process of its own, which can be killed and restarted with the same arguments. */
export type Program = {
  name: string;
  /** Resolves when it is ready, with its output until then. */
  start(): Promise<string>;
  kill(): Promise<void>;
};

const readyMs = 30_000;

export function programOf(args: readonly string[], env: Record<string, string>, ready: string): Program {
  let child: ChildProcess | undefined;
  return {
    name: args[0]!,
    async start() {
      const started = spawnCli(args, env);
      child = started.child;
      endWithUs(child);
      let said = '';
      child.stdout!.on('data', (text: string) => {
        said += text;
      });
      let ended: string | undefined;
      void started.outcome.then(({ err }) => {
        ended = err;
      });
      for (const deadline = Date.now() + readyMs; !said.includes(ready); await sleep(20)) {
        if (ended !== undefined) throw new Error(`${args.join(' ')} ended: ${ended}\n${said}`);
        if (Date.now() > deadline) throw new Error(`${args.join(' ')} is not ready: ${said}`);
      }
      return said;
    },
    async kill() {
      if (child) await kill(child);
    },
  };
}
