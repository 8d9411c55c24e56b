import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counter, createHistogram, createRegistry, gauge, type Metric } from './registry.ts';

function textOf(...metrics: Metric[]): string {
  const registry = createRegistry();
  registry.add(...metrics);
  return registry.text();
}

test('a metric is written with its help, its type and its value at the time of the scrape', () => {
  let open = 1;
  const registry = createRegistry();
  registry.add(
    gauge('doors_open', 'doors that are open', () => open),
    counter('doors_total', 'doors', () => 7),
  );
  open = 2;
  assert.equal(
    registry.text(),
    '# HELP doors_open doors that are open\n# TYPE doors_open gauge\ndoors_open 2\n\n' +
      '# HELP doors_total doors\n# TYPE doors_total counter\ndoors_total 7\n',
  );
});

test('quotes, backslashes and line breaks in labels and help are escaped', () => {
  const text = textOf(gauge('odd', 'a\\b\nc "d"', () => [{ labels: { of: 'a\\b\nc "d"', no: 1 }, value: 0.5 }]));
  assert.deepEqual(text.trimEnd().split('\n'), [
    String.raw`# HELP odd a\\b\nc "d"`,
    '# TYPE odd gauge',
    String.raw`odd{of="a\\b\nc \"d\"",no="1"} 0.5`,
  ]);
});

test('an unknown value is NaN, and an infinite one is Inf', () => {
  const text = textOf(gauge('a', 'a', () => [Number.NaN, Infinity, -Infinity].map((value) => ({ value }))));
  assert.deepEqual(text.match(/^a .*/gm), ['a NaN', 'a Inf', 'a -Inf']);
});

test('a histogram counts each value in every bucket that it does not exceed', () => {
  const { metric, series } = createHistogram('wait', 'time', [1, 5]);
  const at = series({ at: 'door' });
  for (const value of [0.5, 1, 2, 9]) at.observe(value);
  assert.deepEqual(textOf(metric).match(/^wait.*/gm), [
    'wait_bucket{le="1",at="door"} 2',
    'wait_bucket{le="5",at="door"} 3',
    'wait_bucket{le="+Inf",at="door"} 4',
    'wait_sum{at="door"} 12.5',
    'wait_count{at="door"} 4',
  ]);
});

test('two metrics with the same name are refused', () => {
  const door = gauge('doors', 'doors', () => 1);
  assert.throws(() => textOf(door, door), /metric doors is registered twice/);
});
