import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Chaos } from './chaos-proxy.ts';
import { earlyWord, type KillVerdict, killUnderLoad, oldNumbers, trustedBroker } from './kill-gateway.ts';

const wrongIn = ({ lost, twice, phantom, reusedSeq }: KillVerdict) => ({ lost, twice, phantom, reusedSeq });
const nothing = { lost: 0, twice: 0, phantom: 0, reusedSeq: 0 };

describe('a gateway under fire', { concurrency: 2 }, () => {
  test('what is on disk of a gateway reaches the platform once, however often either of them is killed', async () => {
    const verdict = await killUnderLoad({ gateway: 10, platform: 10 });
    console.log('10 kills of the gateway, 10 of the platform', verdict);
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

  for (const { bug, kills, planted } of [
    {
      bug: 'removes samples on the word of such a broker',
      kills: { gateway: 0, platform: 2 },
      planted: trustedBroker,
    },
    {
      bug: 'says that samples are on disk before they are',
      kills: { gateway: 3, platform: 0 },
      planted: earlyWord,
    },
  ]) {
    test(`the same check catches a gateway that ${bug}`, async () => {
      let verdict = await killUnderLoad(kills, planted);
      // Nothing is lost where nothing was under way at the moments of the kills.
      for (let more = 0; verdict.lost === 0 && more < 3; more++) verdict = await killUnderLoad(kills, planted);
      console.log(bug, verdict);
      assert.ok(verdict.lost > 0, 'the planted bug must be seen');
      assert.ok(verdict.lost < verdict.kept / 2, 'and it is the planted one');
    });
  }

  test('the same check catches a gateway that gives its last numbers again', async () => {
    const verdict = await killUnderLoad({ gateway: 3, platform: 0 }, oldNumbers);
    console.log('a gateway with old numbers', verdict);
    assert.ok(verdict.reusedSeq > 0, 'the planted bug must be seen');
  });
});
