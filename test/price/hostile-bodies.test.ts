import assert from 'node:assert/strict';
import { on } from 'node:events';
import { after, suite, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Asked, Told } from './small-heap.ts';

const heapMb = 120; // the service alone needs a third of it
const mostCpuMs = 2000; // several times what the most expensive one takes on a slow machine

type Hostile = Asked & { title: string; status: number; detail: string | RegExp };

const many = (count: number, write: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => write(n)).join(',');
const json = (status: number, title: string, body: string, detail: Hostile['detail']): Hostile => ({
  title,
  type: 'application/json',
  body,
  status,
  detail,
});
const csv = (title: string, lines: string, detail: Hostile['detail']): Hostile => ({
  title: `${title} of CSV`,
  type: 'text/csv',
  body: `start,import_kwh\n${lines}`,
  status: 422,
  detail,
});
const curve = (intervals: string): string => `{"area":"SE3","intervals":[${intervals}]}`;
const quarter = (n: number): string => `{"start":${1_735_686_000 + n * 900},"import_kwh":0.25}`;
const unknown = (n: number): string => `"f${n}":1`;

const tooManyValues = 'The body has more than 320000 values; a load curve has at most 40000 intervals.';
const tooManyIntervals = 'body.intervals: must NOT have more than 40000 items.';

/** All of them are within the six megabytes that a bill may have. */
const bodies: Hostile[] = [
  json(413, 'two million empty intervals', curve('{},'.repeat(2e6).slice(0, -1)), tooManyValues),
  json(413, 'three million numbers', curve('1,'.repeat(3e6).slice(0, -1)), tooManyValues),
  json(413, 'three million levels', '['.repeat(3e6) + ']'.repeat(3e6), tooManyValues),
  json(422, 'fewer levels', curve('['.repeat(2e5) + ']'.repeat(2e5)), 'body.intervals.0: must be object.'),
  json(413, 'half a million unknown fields', `{${many(5e5, unknown)}}`, tooManyValues),
  json(400, 'fewer unknown fields', `{"intervals":[],${many(3e5, unknown)}}`, 'body.f0: is not a known field.'),
  json(
    400,
    'a field with a long name',
    `{"intervals":[],"${'n'.repeat(5e6)}":1}`,
    /^body\.n{195}…: is not a known field/,
  ),
  json(422, 'a hundred thousand empty intervals', curve('{},'.repeat(1e5).slice(0, -1)), tooManyIntervals),
  json(422, 'one interval too many', curve(many(40_001, quarter)), tooManyIntervals),
  json(
    422,
    'as many wrong intervals as may be',
    curve(many(40_000, () => '{}')),
    /^body\.intervals\.0\.start: is required/,
  ),
  csv('one line too many', '1735686000,1\n'.repeat(40_001), tooManyIntervals),
  csv('four hundred thousand lines', '1735686000,1\n'.repeat(4e5), tooManyIntervals),
  csv('six million empty lines', '\n'.repeat(6e6), 'body.intervals: must NOT have fewer than 1 items.'),
  csv('three million blank lines', ' \n'.repeat(3e6), 'body.intervals: must NOT have fewer than 1 items.'),
  csv('six million cells', ','.repeat(6e6), /line 2\.import_kwh/),
  csv(
    'as many wrong lines as may be',
    `${'x'.repeat(50)},1\n`.repeat(40_000),
    /^body\.intervals\.0\.start: must NOT have more than 40/,
  ),
  { ...csv('six million columns', '', /first line must name/), body: ','.repeat(6e6) },
];

suite('a body that costs little to send', () => {
  const thread = new Worker(new URL('./small-heap.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
  });
  const answers = on(thread, 'message', { close: ['exit'] });
  after(() => thread.postMessage(undefined, []));

  for (const { title, type, body, status, detail } of bodies) {
    test(`costs little to refuse: ${title}`, async () => {
      thread.postMessage({ type, body } satisfies Asked, []);
      const { value } = (await answers.next()) as { value: [Told] | undefined };
      assert.ok(value, 'it takes more memory than there is');
      const [told] = value;
      assert.equal(told.status, status, told.detail);
      if (detail instanceof RegExp) assert.match(told.detail, detail);
      else assert.equal(told.detail, detail);
      assert.ok(told.cpuMs < mostCpuMs, `${told.cpuMs} ms`);
    });
  }
});
