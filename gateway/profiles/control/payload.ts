import { JsonError, parseJson } from '#lib/json.ts';

// The readings have more of this, and with it the schemas of the contract, which the watchdog does without.

const longest = 16 * 1024; // bytes

/** What stands at a path of a JSON object; undefined when it is none or has no such thing. */
export function valueAt(payload: Uint8Array, ...path: string[]): unknown {
  if (payload.length > longest) return undefined;
  try {
    return path.reduce<unknown>(
      (inside, key) => (inside as Record<string, unknown> | undefined)?.[key],
      parseJson(payload),
    );
  } catch (error) {
    if (error instanceof JsonError || error instanceof TypeError) return undefined; // TypeError: inside null
    throw error;
  }
}

/** A bare number. */
export function numberIn(payload: Uint8Array): number | undefined {
  const text = Buffer.from(payload.subarray(0, 64)).toString('utf8').trim();
  const number = Number(text);
  return text === '' || !Number.isFinite(number) ? undefined : number;
}
