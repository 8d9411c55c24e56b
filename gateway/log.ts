import { createLog, type DestinationStream, type LevelWithSilent, type Logger } from '#lib/log.ts';
import { LogStream, levelFor, levelOf, rankOf } from './uplink/log-stream.ts';

const mostRecent = 200;

export type GatewayLog = {
  log: Logger;
  /** the last lines that were printed */
  recent(): string[];
  /** The same lines to the broker, as far as they are asked for there. */
  openStream(serial: string): LogStream;
};

/** The log of the gateway. What is streamed may tell more than what is printed. */
export function createGatewayLog(level: LevelWithSilent, destination: DestinationStream): GatewayLog {
  let stream: LogStream | undefined;
  const recent: string[] = [];
  const log = createLog({
    level,
    name: 'gateway',
    destination: {
      write(line) {
        if (rankOf(levelOf(line)) <= rankOf(level)) {
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
    openStream(serial) {
      stream = new LogStream(serial, (setting) => {
        const asked = setting.enabled ? levelFor(setting.level) : 'silent';
        log.level = rankOf(asked) > rankOf(level) ? asked : level;
      });
      return stream;
    },
  };
}
