import { fork } from 'node:child_process';
import { once } from 'node:events';

export type ServerProcess = AsyncDisposable & {
  url: string;
  /** used so far, microseconds */
  cpuUs(): Promise<number>;
};

type Start = { args?: string[]; env?: Record<string, string> };

const patienceMs = 60_000;

/** Starts a file of servers/. It ends when it is disposed of, and when we end. */
export async function startServer(file: string, { args = [], env = {} }: Start = {}): Promise<ServerProcess> {
  const child = fork(new URL(file), args, { env: { PATH: process.env.PATH, ...env } });
  const ended = once(child, 'exit');
  const answer = async <Answer>(): Promise<Answer> => {
    const died = ended.then(([code]) => Promise.reject(new Error(`The server ${file} ended with ${code}.`)));
    const [message] = await Promise.race([once(child, 'message', { signal: AbortSignal.timeout(patienceMs) }), died]);
    return message;
  };
  const { url } = await answer<{ url: string }>().catch((error: unknown) => {
    child.kill();
    throw error;
  });
  return {
    url,
    async cpuUs() {
      const answered = answer<{ cpuUs: number }>();
      child.send('cpu');
      return (await answered).cpuUs;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
