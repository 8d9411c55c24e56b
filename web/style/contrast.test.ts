import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const fileText = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Returns the relative luminance as WCAG defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

// Tested here because the pages show these colours only at certain hours.
test('text on every flow colour is readable in the light and the dark theme', () => {
  const [, ink] = /\.flow-bar li \{[^}]*[^-]color: (#[0-9a-f]{6})/.exec(fileText('../flow/flow.css'))!;
  const colours = fileText('tokens.css').matchAll(
    /--(sun|battery|grid-in|grid-out|car|load): light-dark\((#\w{6}), (#\w{6})\)/g,
  );
  const tried = [...colours].flatMap(([, name, ...both]) => both.map((colour) => ({ name, colour })));
  assert.equal(tried.length, 12);
  const poor = tried.filter(({ colour }) => contrast(colour, ink!) < 4.5);
  assert.deepEqual(poor, []);
});
