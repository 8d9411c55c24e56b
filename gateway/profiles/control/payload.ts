import { JsonError, parseJson } from '#lib/json.ts';

// Separate from mqtt-values.ts, which loads the schemas of the contract: the watchdog process does without them.

const maxBytes = 16 * 1024;

/** Returns the value at a path of a JSON payload; undefined if the JSON is invalid or has no such path. */
export function valueAt(payload: Uint8Array, ...path: string[]): unknown {
  if (payload.length > maxBytes) return undefined;
  try {
    return path.reduce<unknown>(
      (inside, key) => (inside as Record<string, unknown> | undefined)?.[key],
      parseJson(payload),
    );
  } catch (error) {
    if (error instanceof JsonError || error instanceof TypeError) return undefined; // TypeError: property of null
    throw error;
  }
}

/** Parses a payload that is a bare number. */
export function numberIn(payload: Uint8Array): number | undefined {
  const text = Buffer.from(payload.subarray(0, 64)).toString('utf8').trim();
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? undefined : number;
}
