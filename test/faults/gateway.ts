import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endWithUs, kill } from '../end-process.ts';
import { testEnvironment } from '../test-environment.ts';
import type { GatewayNews } from './gateway-process.ts';

const program = fileURLToPath(new URL('./gateway-process.ts', import.meta.url));
const preload = import.meta.resolve('../proof/planted/preload.ts');

export type Gateway = {
  waiting(): number;
  isConnected(): boolean;
  isAcknowledged(): boolean;
  /** Throws when the process has ended by itself. */
  checkRunning(): void;
  kill(): Promise<void>;
};

/** Starts the uplink of a gateway in a process of its own. */
export function startGateway(
  env: Record<string, string>,
  onKept: (samples: { seq: number; at: number }[]) => void,
): Gateway {
  const child = fork(program, {
    env: { ...testEnvironment, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(env.PLANTED_BUG && { execArgv: ['--import', preload] }),
  });
  endWithUs(child);
  let waiting = Number.POSITIVE_INFINITY;
  let isConnected = false;
  let isAcknowledged = false;
  child.on('message', (news: GatewayNews) => {
    if ('kept' in news) onKept(news.kept);
    else ({ waiting, isConnected, isAcknowledged } = news);
  });
  function checkRunning(): void {
    if (child.exitCode !== null) throw new Error(`The gateway has ended by itself, with ${child.exitCode}.`);
  }

  const ofRunning =
    <T>(look: () => T) =>
    (): T => {
      checkRunning();
      return look();
    };

  return {
    waiting: ofRunning(() => waiting),
    isConnected: ofRunning(() => isConnected),
    isAcknowledged: ofRunning(() => isAcknowledged),
    checkRunning,
    kill: () => kill(child),
  };
}
