import { createLog, type DestinationStream, type LevelWithSilent } from '#lib/log.ts';
import { createLogStream, type LogStream, levelFor, levelOf, rankOf } from './uplink/log-stream.ts';

const maxRecent = 200;

/** Creates the log of the gateway. The stream may have a more verbose level than the output. */
export function createGatewayLog(level: LevelWithSilent, destination: DestinationStream) {
  let stream: LogStream | undefined;
  const recent: string[] = [];
  const log = createLog({
    level,
    name: 'gateway',
    destination: {
      write(line) {
        if (rankOf(levelOf(line)) <= rankOf(level)) {
          destination.write(line);
          if (recent.push(line.trimEnd()) > maxRecent) recent.shift();
        }
        stream?.write(line);
      },
    },
  });
  return {
    log,
    recent: () => recent,
    openStream(serial: string): LogStream {
      stream = createLogStream(serial, (setting) => {
        const asked = setting.enabled ? levelFor(setting.level) : 'silent';
        log.level = rankOf(asked) > rankOf(level) ? asked : level;
      });
      return stream;
    },
  };
}
