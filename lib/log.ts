import { type DestinationStream, destination as fileDescriptor, type LevelWithSilent, type Logger, pino } from 'pino';

export type { DestinationStream, LevelWithSilent, Logger } from 'pino';

type LogOptions = { level: LevelWithSilent; name: string; destination?: DestinationStream };
type Line = { time: string; level: string; name: string; msg?: string; err?: LoggedError };
type LoggedError = { stack?: string; cause?: LoggedError };

// The `validation` of an invalid request repeats its content, which may be any of the others.
const secretKeys =
  'authorization|password|psk|private_key|client_secret|token|access_token|refresh_token|secret|signature|challenge|' +
  'code_verifier|cookie|set-cookie|validation';
const secretKey = new RegExp(`^(?:${secretKeys})$`, 'i');
const lineWithSecretKey = new RegExp(`"(?:${secretKeys})":`, 'i');

/** Creates a logger that writes JSON lines, or short readable lines if standard output is a terminal. */
export function createLog({ level, name, destination = standardOutput() }: LogOptions): Logger {
  return pino(
    {
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.errWithCause },
      hooks: { streamWrite: redact },
    },
    destination,
  );
}

// Redacts whole lines: the wildcard paths of pino cost 20 to 80 µs on every line and stop at a fixed depth.
function redact(line: string): string {
  if (!lineWithSecretKey.test(line)) return line;
  const redacted = JSON.stringify(JSON.parse(line), (key, value) => (secretKey.test(key) ? '[redacted]' : value));
  return `${redacted}\n`;
}

export function standardOutput(): DestinationStream {
  if (!process.stdout.isTTY) return fileDescriptor(1);
  return { write: (line) => process.stdout.write(readable(JSON.parse(line))) };
}

function readable({ time, level, name, msg = '', err, ...fields }: Line): string {
  const details = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  const head = `${time.slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${name}: ${msg}${details.join('')}`;
  const lines = err ? [head, ...stacksOf(err)] : [head];
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '?')}\n`).join(''); // a logged value must not control the terminal
}

function stacksOf(error: LoggedError): string[] {
  const own = (error.stack ?? JSON.stringify(error)).split('\n').map((line) => `  ${line}`);
  return error.cause === undefined ? own : [...own, '  caused by', ...stacksOf(error.cause)];
}
