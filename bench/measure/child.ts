import { fork } from 'node:child_process';
import { once } from 'node:events';

export type Start = { args?: string[]; env?: Record<string, string> };

/** Starts one of our programs in its own process, which answers every message with one. */
export type Child = AsyncDisposable & {
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Resolves with its next message. */
  answer<Answer>(): Promise<Answer>;
  ask<Answer>(message: object | string): Promise<Answer>;
};

const patienceMs = 120_000;

/** It exits when it is disposed of, and with this process. */
export function startChild(file: string, { args = [], env = {} }: Start = {}): Child {
  const child = fork(new URL(file), args, { env: { PATH: process.env.PATH, ...env } });
  const ended = once(child, 'exit');
  async function answer<Answer>(): Promise<Answer> {
    const died = ended.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}.`)));
    const [message] = await Promise.race([once(child, 'message', { signal: AbortSignal.timeout(patienceMs) }), died]);
    return message;
  }
  return {
    answer,
    ask<Answer>(message: object | string): Promise<Answer> {
      const answered = answer<Answer>();
      child.send(message);
      return answered;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
