import type { Route } from '#contract/route.ts';
import { nameOf } from './demands.ts';
import type { GrowthCase } from './measure.ts';

/** Sends a request as a caller with access; 5xx answers are refused. */
export type Send = (method: string, path: string, body: string, contentType: string) => Promise<number>;

const kilobyte = 1024;
const limitKb = 255; // just below the limit of all bodies
const maxKeys = 900; // more are refused before they are read

/** Every route with a body: junk that it refuses, and its own texts far too long. */
export function bodyCases(routes: readonly Route[], send: Send, pathOf: (route: Route) => string): GrowthCase[] {
  return routes
    .filter(({ body }) => body)
    .flatMap((route) =>
      [
        { what: 'a body of unknown keys, lists and texts', bodyOf: junk },
        { what: 'a body whose texts are all too long', bodyOf: (bytes: number) => longTexts(route, bytes) },
      ].map(
        ({ what, bodyOf }): GrowthCase => ({
          covers: [nameOf(route)],
          what,
          unit: 'kB',
          base: Math.floor(limitKb / 16),
          async prepare(size) {
            const value = bodyOf(size * kilobyte);
            const [text, type] = route.form
              ? [new URLSearchParams(value as Record<string, string>).toString(), 'application/x-www-form-urlencoded']
              : [JSON.stringify(value), 'application/json'];
            const body = text.slice(0, limitKb * kilobyte);
            return async () => {
              const status = await send(route.method, pathOf(route), body, type);
              if (status >= 500 && status !== 503) throw new Error(`${nameOf(route)}: ${status}`);
            };
          },
        }),
      ),
    );
}

/** A quarter each: keys, a list, lists in lists, a text. */
function junk(bytes: number): Record<string, unknown> {
  const share = bytes / 4;
  const keyCount = Math.round((maxKeys * bytes) / (limitKb * kilobyte));
  const keyLength = Math.max(8, Math.floor(share / keyCount) - 4);
  const keys = Array.from({ length: keyCount }, (_, n) => [String(n).padStart(keyLength, 'k'), 1] as const);
  const nested = '['.repeat(20) + ']'.repeat(20);
  return {
    ...Object.fromEntries(keys),
    list: Array.from({ length: Math.floor(share / 2) }, () => 1),
    lists: Array.from({ length: Math.floor(share / (nested.length + 1)) }, () => JSON.parse(nested)),
    text: 'å"'.repeat(share / 4), // needs two bytes, and an escape
  };
}

/** As long as the whole body may be, shared among the texts that the route knows. */
function longTexts({ body }: Route, bytes: number): Record<string, unknown> {
  const properties = Object.entries((body as { properties?: Record<string, { type?: unknown }> }).properties ?? {});
  const texts = properties.filter(([, { type }]) => [type].flat().includes('string')).map(([name]) => name);
  const names = texts.length > 0 ? texts : ['name'];
  const length = Math.floor(bytes / names.length) - 40;
  return Object.fromEntries(names.map((name, n) => [name, (n % 2 === 0 ? ' ' : 'a').repeat(Math.max(1, length))]));
}
