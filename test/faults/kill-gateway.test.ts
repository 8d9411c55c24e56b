import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Chaos } from './chaos-proxy.ts';
import { type KillVerdict, killUnderLoad } from './kill-gateway.ts';

const wrongIn = ({ lost, twice, phantom, reusedSeq }: KillVerdict) => ({ lost, twice, phantom, reusedSeq });
const nothing = { lost: 0, twice: 0, phantom: 0, reusedSeq: 0 };

describe('a gateway under fire', { concurrency: 2 }, () => {
  test('what is on disk of a gateway reaches the platform once, however often either of them is killed', async () => {
    const verdict = await killUnderLoad({ gateway: 4, platform: 5 });
    console.log('4 kills of the gateway, 5 of the platform', verdict);
    assert.ok(verdict.kept > 1000, 'enough was tried');
    assert.deepEqual(wrongIn(verdict), nothing);
  });

  test('a platform whose broker acknowledges before it stores costs nothing, since the platform is asked', async () => {
    const verdict = await killUnderLoad({ gateway: 0, platform: 2 }, { platform: { PLANTED: 'early-ack' } });
    console.log('2 kills of a platform with an early broker', verdict);
    assert.equal(verdict.lost, 0);
  });

  test('what is on disk of a gateway reaches the platform once, however bad the wire between them is', async () => {
    const troubles: Chaos[] = [
      { sliceBytes: 1 },
      { latencyMs: 100, jitterMs: 200 },
      { bytesPerSecond: 20_000 },
      { cutAfterBytes: 5000 },
      { isHalfOpen: true },
    ];
    const verdict = await killUnderLoad({ gateway: 0, platform: 0, troubles });
    console.log(`${troubles.length} troubles of the wire`, verdict);
    assert.ok(verdict.kept > 1000, 'enough was tried');
    const starts = troubles.length + 2; // one before them, one for each, one to send the rest
    assert.ok(verdict.connections > starts, 'it was cut, and came back');
    assert.deepEqual(wrongIn(verdict), nothing);
  });
});
