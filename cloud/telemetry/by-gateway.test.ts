import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByGateway } from './by-gateway.ts';

test('a gateway is forgotten with all its devices, and no other', () => {
  const known = new ByGateway<number>();
  known.set('a', '1', 1);
  known.set('a', '2', 2);
  known.set('ab', '1', 3);
  known.forget('a');
  assert.deepEqual([known.get('a', '1'), known.get('a', '2'), known.get('ab', '1')], [undefined, undefined, 3]);
  known.forget();
  assert.equal(known.get('ab', '1'), undefined);
});

test('of too many devices those of the oldest gateway go first', () => {
  const known = new ByGateway<number>();
  known.set('old', '1', 1);
  known.set('old', '2', 2);
  known.set('gone', '1', 3);
  known.delete('gone', '1');
  for (let device = 0; device < 199_998; device++) known.set('new', String(device), device);
  assert.equal(known.get('old', '2'), 2);
  known.set('new', '0', -1); // known before
  assert.equal(known.get('old', '1'), 1);
  known.set('new', 'one too many', 4);
  assert.deepEqual([known.get('old', '1'), known.get('old', '2'), known.get('new', '0')], [undefined, undefined, -1]);
});
