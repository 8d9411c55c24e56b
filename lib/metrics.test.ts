import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '#test/until.ts';
import { systemClock } from './clock.ts';
import { createMetrics } from './metrics.ts';

const { registry } = createMetrics();

/** The values of a metric, by their labels. */
const read = (name: string): Map<string, number> =>
  new Map(
    [...registry.text().matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [
      labels,
      Number(value),
    ]),
  );
const one = (name: string): number => read(name).get('')!;

test('the metrics include the resources of the process', () => {
  assert.ok(one('process_resident_memory_bytes') > 1e7);
  assert.ok(Math.abs(one('process_start_time_seconds') - systemClock.now() / 1000) < 3600);
  const used = one('process_cpu_seconds_total');
  for (let turns = 0; one('process_cpu_seconds_total') === used; turns++) assert.ok(turns < 1e5, 'it has worked');
});

test('an open file is counted', { skip: process.platform !== 'linux' }, () => {
  const before = one('process_open_fds');
  const files = Array.from({ length: 5 }, () => openSync(import.meta.filename, 'r'));
  assert.equal(one('process_open_fds') - before, 5);
  for (const file of files) closeSync(file);
  assert.ok(one('process_max_fds') > before);
  assert.ok(one('process_virtual_memory_bytes') > one('process_resident_memory_bytes'));
});

test('a process that can open no more files still reports the other metrics', {
  skip: process.platform !== 'linux',
}, () => {
  const script = `
    import { openSync } from 'node:fs';
    import { createMetrics } from '${import.meta.resolve('./metrics.ts')}';
    const { registry } = createMetrics();
    registry.text();
    try { for (;;) openSync('/dev/null'); } catch {}
    console.error(registry.text());`;
  const limited = ['-c', 'ulimit -n 60 && exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stderr } = spawnSync('/bin/sh', limited, { encoding: 'utf8' });
  assert.match(stderr, /^process_open_fds NaN$/m);
  assert.match(stderr, /^nodejs_heap_size_used_bytes \d+$/m);
});

test('a blocked event loop is reported once', async () => {
  await delay(50); // so that it is watched
  const began = performance.now();
  while (performance.now() - began < 300);
  await delay(50);
  assert.ok(one('nodejs_eventloop_lag_max_seconds') > 0.25);
  assert.ok(Number.isNaN(one('nodejs_eventloop_lag_max_seconds')), 'nothing is known since the last reading');
  await delay(50);
  assert.ok(one('nodejs_eventloop_lag_max_seconds') < 0.25);
});

test('garbage collection and heap spaces are reported by kind', async () => {
  const collected = () => [...read('nodejs_gc_duration_seconds_count').values()].reduce((sum, count) => sum + count, 0);
  const before = collected();
  await until(() => {
    Array.from({ length: 1e5 }, (_, index) => ({ index }));
    return collected() > before;
  });
  assert.ok(read('nodejs_heap_space_size_used_bytes').get('{space="old"}')! > 0);
  assert.ok(one('nodejs_heap_size_used_bytes') <= one('nodejs_heap_size_total_bytes'));
});

test('all servers of a process share the metrics of the process', () => {
  const other = createMetrics().registry;
  assert.deepEqual(other.text().match(/^# TYPE .*/gm), registry.text().match(/^# TYPE .*/gm));
});
