/** A line of the log, read. */
export type LogLine = { level: string; atMs: number | undefined; message: string; more: string; text: string };

/** From the loudest to the most quiet. */
export const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** A line that is no JSON is shown as it is. */
export function readLine(text: string): LogLine {
  const line = parsed(text);
  if (!line) return { level: 'info', atMs: undefined, message: text, more: '', text };
  const { level, time, msg, name: _program, err, ...fields } = line;
  const at = Date.parse(String(time));
  const reason = (err as { message?: unknown } | undefined)?.message;
  const words = Object.entries({ ...fields, ...(reason !== undefined && { reason }) }).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    level: String(level),
    atMs: Number.isNaN(at) ? undefined : at,
    message: typeof msg === 'string' ? msg : '',
    more: words.join(' '),
    text,
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null ? (line as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** As loud as `least` or louder, and with the words in it, in any case of letters. */
export function fits({ level, text }: LogLine, least: string, words: string): boolean {
  const rank = (name: string): number => levels.indexOf(name as (typeof levels)[number]);
  return rank(level) <= rank(least) && text.toLowerCase().includes(words.trim().toLowerCase());
}
