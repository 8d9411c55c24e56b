import { texts } from './text.ts';

/** In order of severity, most severe first. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

export const levelWords = texts<LogLevel>({
  fatal: 'Fatal',
  error: 'Error',
  warn: 'Warning',
  info: 'Info',
  debug: 'Debug',
  trace: 'Trace',
});

export type LogLine = {
  level: LogLevel;
  atMs: number | undefined;
  message: string;
  /** the other fields, as name=value */
  more: string;
  /** the unparsed line */
  text: string;
};

/** Reads a line of a gateway log, which is JSON. Any other text becomes the message. */
export function readLogLine(text: string): LogLine {
  const line = parseObject(text);
  if (!line) return { level: 'info', atMs: undefined, message: text, more: '', text };
  const { level, time, msg, name: _program, err: reason, ...fields } = line;
  const atMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return {
    level: logLevels.find((known) => known === level) ?? 'info',
    atMs: Number.isNaN(atMs) ? undefined : atMs,
    message: typeof msg === 'string' ? msg : '',
    more: Object.entries({ ...fields, ...(reason !== undefined && { reason }) })
      .map(([name, value]) => `${name}=${valueText(value)}`)
      .join(' '),
    text,
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null && !Array.isArray(line) ? { ...line } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a value as text; of an error only its message, without the stack. */
function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return 'message' in value ? String(value.message) : JSON.stringify(value);
}

/** Whether a line is at least as severe as `minLevel` and contains the search text, ignoring case. */
export function matchesFilter({ level, text }: LogLine, minLevel: LogLevel, search: string): boolean {
  return (
    logLevels.indexOf(level) <= logLevels.indexOf(minLevel) && text.toLowerCase().includes(search.trim().toLowerCase())
  );
}
