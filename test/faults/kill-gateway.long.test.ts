import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Chaos } from './chaos-proxy.ts';
import { earlyWord, type KillVerdict, killUnderLoad, oldNumbers, trustedBroker } from './kill-gateway.ts';

const wrongIn = ({ lost, twice, phantom, reusedSeq }: KillVerdict) => ({ lost, twice, phantom, reusedSeq });
const nothing = { lost: 0, twice: 0, phantom: 0, reusedSeq: 0 };

describe('a gateway that is killed repeatedly', { concurrency: 2 }, () => {
  test('delivers every sample on its disk once, however often it or the platform is killed', async () => {
    const verdict = await killUnderLoad({ gateway: 10, platform: 10 });
    console.log('10 kills of the gateway, 10 of the platform', verdict);
    assert.ok(verdict.kept > 1000, 'enough was tried');
    assert.deepEqual(wrongIn(verdict), nothing);
  });

  test("loses nothing to a broker that acknowledges early, since only the platform's word counts", async () => {
    const verdict = await killUnderLoad({ gateway: 0, platform: 2 }, { platform: { PLANTED: 'early-ack' } });
    console.log('2 kills of a platform with an early broker', verdict);
    assert.equal(verdict.lost, 0);
  });

  test('delivers every sample on its disk once, however bad the connection is', async () => {
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
    assert.ok(verdict.connections > starts, 'it was cut and reconnected');
    assert.deepEqual(wrongIn(verdict), nothing);
  });

  for (const { bug, kills, planted } of [
    {
      bug: 'removes samples when such a broker acknowledges',
      kills: { gateway: 0, platform: 2 },
      planted: trustedBroker,
    },
    {
      bug: 'reports samples as stored before they are on disk',
      kills: { gateway: 3, platform: 0 },
      planted: earlyWord,
    },
  ]) {
    test(`the same check detects a gateway that ${bug}`, async () => {
      let verdict = await killUnderLoad(kills, planted);
      // Nothing is lost when nothing was in flight at the moments of the kills.
      for (let more = 0; verdict.lost === 0 && more < 3; more++) verdict = await killUnderLoad(kills, planted);
      console.log(bug, verdict);
      assert.ok(verdict.lost > 0, 'the planted bug must be noticed');
      assert.ok(verdict.lost < verdict.kept / 2, 'and it is the planted one');
    });
  }

  test('the same check detects a gateway that reuses its sequence numbers', async () => {
    const verdict = await killUnderLoad({ gateway: 3, platform: 0 }, oldNumbers);
    console.log('a gateway with old numbers', verdict);
    assert.ok(verdict.reusedSeq > 0, 'the planted bug must be noticed');
  });
});
