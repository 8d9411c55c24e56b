/** From the loudest to the most quiet. */
export const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type Level = (typeof levels)[number];

/** A line of the log of a gateway, read. */
export type LogLine = {
  level: Level;
  atMs: number | undefined;
  message: string;
  /** what else it says, as name=value */
  more: string;
  /** as it was written */
  text: string;
};

/** Gateways write JSON; a line that is none is shown as it is. */
export function readLogLine(text: string): LogLine {
  const line = parsed(text);
  if (!line) return { level: 'info', atMs: undefined, message: text, more: '', text };
  const { level, time, msg, name: _program, err: reason, ...fields } = line;
  const atMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return {
    level: levels.find((known) => known === level) ?? 'info',
    atMs: Number.isNaN(atMs) ? undefined : atMs,
    message: typeof msg === 'string' ? msg : '',
    more: Object.entries({ ...fields, ...(reason !== undefined && { reason }) })
      .map(([name, value]) => `${name}=${wordOf(value)}`)
      .join(' '),
    text,
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text);
    const isLine = typeof line === 'object' && line !== null && !Array.isArray(line);
    return isLine ? (line as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Of an error its sentence: its stack is for the machine that wrote it. */
function wordOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return 'message' in value ? String(value.message) : JSON.stringify(value);
}
