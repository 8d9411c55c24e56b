import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PerGatewayMap } from './routing.ts';

const shares = { maxPerGateway: 100, maxInTotal: 120 };

test('a gateway is forgotten with all its devices, and no other', () => {
  const known = new PerGatewayMap<number>(shares);
  known.set('a', '1', 1);
  known.set('a', '2', 2);
  known.set('ab', '1', 3);
  known.forget('a');
  assert.deepEqual([known.get('a', '1'), known.get('a', '2'), known.get('ab', '1')], [undefined, undefined, 3]);
  known.forget();
  assert.equal(known.get('ab', '1'), undefined);
});

test('beyond its share a gateway replaces its own oldest device, and no device of another', () => {
  const known = new PerGatewayMap<number>(shares);
  known.set('other', '1', 1);
  for (let device = 0; device < 10_000; device++) known.set('liar', String(device), device);
  assert.deepEqual(
    [known.get('other', '1'), known.get('liar', '9899'), known.get('liar', '9900')],
    [1, undefined, 9900],
  );
});

test('beyond the total, the devices of the oldest gateway are evicted first, or its own oldest when it adds one', () => {
  const known = new PerGatewayMap<number>(shares);
  known.set('old', '1', 1);
  known.set('old', '2', 2);
  known.set('gone', '1', 3);
  known.delete('gone', '1');
  for (let device = 0; device < 59; device++) known.set('new', String(device), device);
  for (let device = 0; device < 59; device++) known.set('newer', String(device), device);
  known.set('new', '0', -1); // known before
  assert.deepEqual([known.get('old', '1'), known.get('old', '2')], [1, 2]);
  known.set('old', '3', 3);
  assert.deepEqual([known.get('old', '1'), known.get('old', '2'), known.get('old', '3')], [undefined, 2, 3]);
  known.set('new', 'one too many', 4);
  assert.deepEqual([known.get('old', '2'), known.get('old', '3'), known.get('new', '0')], [undefined, undefined, -1]);
});
