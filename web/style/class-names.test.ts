import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const web = join(import.meta.dirname, '..');

/** Returns the classes that a style sheet defines on their own: `.swatch {`, not `.receipt .swatch {`. */
function classesOf(sheet: string): string[] {
  const rules = sheet.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g);
  const selectors = [...rules].flatMap(([, list]) => list!.split(',').map((selector) => selector.trim()));
  return selectors.filter((selector) => /^\.[\w-]+$/.test(selector));
}

// The style sheets of all visited pages apply together, and the last one wins.
test('a class is defined in one style sheet', () => {
  const sheets = globSync('**/*.css', { cwd: web, exclude: ['dist'] });
  const places = new Map<string, string[]>();
  for (const sheet of sheets.toSorted()) {
    for (const name of new Set(classesOf(readFileSync(join(web, sheet), 'utf8'))))
      places.set(name, [...(places.get(name) ?? []), sheet]);
  }
  assert.ok(places.size > 100, `only ${places.size} classes`);
  const shared = [...places].filter(([, where]) => where.length > 1);
  assert.deepEqual(shared, []);
});
