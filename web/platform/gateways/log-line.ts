/** One line of the log of a gateway. */
export type LogLine = {
  level: 'error' | 'warn' | 'info' | 'debug';
  text: string;
  atMs: number | undefined;
  /** what else it says, as name=value */
  more: string;
};

const levels: Record<string, LogLine['level']> = {
  fatal: 'error',
  error: 'error',
  warn: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
};

/** Gateways write JSON; a line that is none is shown as it is. */
export function readLogLine(line: string): LogLine {
  const plain: LogLine = { level: 'info', text: line, atMs: undefined, more: '' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return plain;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return plain;
  const { level, time, msg, name: _, ...rest } = parsed as Record<string, unknown>;
  const atMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return {
    level: (typeof level === 'string' && Object.hasOwn(levels, level) && levels[level]) || 'info',
    text: typeof msg === 'string' ? msg : line,
    atMs: Number.isNaN(atMs) ? undefined : atMs,
    more: Object.entries(rest)
      .map(([name, value]) => `${name}=${wordOf(value)}`)
      .join(' '),
  };
}

/** Of an error its sentence: its stack is for the machine that wrote it. */
function wordOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return 'message' in value ? String(value.message) : JSON.stringify(value);
}
