import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsIn, metricsIn } from './promql.ts';

for (const { expr, metrics } of [
  { expr: 'up == 0 and max_over_time(up[1d]) == 1', metrics: ['up', 'up'] },
  { expr: 'topk(8, sum by (method, route) (rate(a_sum{job="cloud", route!~"/x/.*"}[5m])))', metrics: ['a_sum'] },
  { expr: 'histogram_quantile(0.99, sum by (le) (rate(b_bucket[10m]))) > 2', metrics: ['b_bucket'] },
  { expr: 'c > 1.7e9 or c{job="d"} > 3.2e8', metrics: ['c', 'c'] },
  { expr: 'sum(increase(e_total[1d] offset 10m)) > 0.01 * scalar(sum(f))', metrics: ['e_total', 'f'] },
]) {
  test(`${expr} is about ${metrics.join(', ')}`, () => assert.deepEqual(metricsIn(expr), metrics));
}

test('labels are listed with their metric', () => {
  assert.deepEqual(labelsIn('a{x="1", y=~"b="} / b{z!="2"}'), [
    ['a', ['x', 'y']],
    ['b', ['z']],
  ]);
});
