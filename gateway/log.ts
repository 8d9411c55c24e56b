import { createLog, type DestinationStream, type LevelWithSilent, type Logger } from '#lib/log.ts';
import type { LogStream, LogStreamSetting } from './uplink/log-stream.ts';

const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
// 1=ERROR, 2=WARN, 3=OK, 4=INFO, 5=DEBUG, 6=VERBOSE
const streamed: Record<number, LevelWithSilent> = {
  1: 'error',
  2: 'warn',
  3: 'warn',
  4: 'info',
  5: 'debug',
  6: 'trace',
};

const mostRecent = 200;

export type GatewayLog = {
  log: Logger;
  /** the last lines that were printed */
  recent(): string[];
  /** The same lines to the broker, as far as they are asked for there. */
  streamTo(stream: LogStream): { get(): LogStreamSetting; set(setting: LogStreamSetting): void };
};

/** The log of the gateway. What is streamed may tell more than what is printed. */
export function createGatewayLog(level: LevelWithSilent, destination: DestinationStream): GatewayLog {
  let stream: LogStream | undefined;
  const recent: string[] = [];
  const rank = (name: string): number => levels.indexOf(name as (typeof levels)[number]);
  const log = createLog({
    level,
    name: 'gateway',
    destination: {
      write(line) {
        if (rank(/"level":"(\w+)"/.exec(line)![1]!) <= rank(level)) {
          destination.write(line);
          if (recent.push(line.trimEnd()) > mostRecent) recent.shift();
        }
        stream?.write(line);
      },
    },
  });
  return {
    log,
    recent: () => recent,
    streamTo(given) {
      stream = given;
      return {
        get: () => given.setting,
        set(setting) {
          given.set(setting);
          const asked = setting.enabled ? streamed[setting.level]! : 'silent';
          log.level = rank(asked) > rank(level) ? asked : level;
        },
      };
    },
  };
}
