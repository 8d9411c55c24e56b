import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithUs, kill } from '../end-process.ts';
import { testEnvironment } from '../test-environment.ts';

const program = fileURLToPath(new URL('./platform-process.ts', import.meta.url));

export type Platform = {
  pid: number;
  url: string;
  mqttUrl: string | undefined;
  /** Stops it as a supervisor does, and returns its exit code. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

/** Starts a platform in a process of its own; resolves when it is ready. */
export async function startPlatform(
  env: Record<string, string>,
  options: Pick<ForkOptions, 'execPath' | 'execArgv' | 'stdio'> = {},
): Promise<Platform> {
  const child = fork(program, {
    env: { LOG_LEVEL: 'error', ...testEnvironment, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...options,
  });
  endWithUs(child);
  const ready = once(child, 'message').then(([message]) => message as { url: string; mqttUrl?: string });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The platform ended with ${code} before it was ready.`);
  });
  failed.catch(() => {});
  const { url, mqttUrl } = await Promise.race([ready, failed]);
  return {
    pid: child.pid!,
    url,
    mqttUrl,
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
    kill: () => kill(child),
  };
}
