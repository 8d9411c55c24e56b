import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { postgresMissing } from '#test/services/postgres.ts';
import { until } from '#test/until.ts';
import { deleteExpiredConnections } from '../../store/broker-connections.ts';
import { createLeases } from './leases.ts';

suite('connections of clients to the processes of a platform', { skip: postgresMissing() }, async () => {
  const cloud = await openCloud({ engine: 'postgres' });
  after(cloud.close);
  const { store, clock } = cloud;
  const log = createLog({ level: 'silent', name: 'test' });
  const leasesOf = (nodeId: string) => createLeases({ store, clock, log, nodeId, onGone: () => {} });
  const [east, west] = [leasesOf('east'), leasesOf('west')];
  const clientId = 'ohm-1/ohm-1';
  const gateway = () => ({ client: { kind: 'gateway', serial: 'ohm-1' }, expiresAt: clock.now() + hourMs }) as const;
  const rows = () => store.db.selectFrom('broker_connections').selectAll().execute();
  const hasLeft = () => until(async () => (await rows()).every(({ node }) => node === ''));

  test('a gateway that moved often and was away for hours is let in at once', async () => {
    for (let n = 0; n < 3; n++) {
      const first = await east.take(clientId, gateway(), () => {});
      const { release, epoch } = await west.take(clientId, gateway(), () => {});
      east.takenOver({ clientId, epoch });
      first.release();
      release();
      await hasLeft();
    }
    clock.advance(2 * hourMs);
    await deleteExpiredConnections(store.db, clock.now());
    assert.deepEqual(await rows(), []);
    let isEnded = false;
    const { release } = await east.take(clientId, gateway(), () => {
      isEnded = true;
    });
    assert.equal(isEnded, false);
    release();
    await hasLeft();
  });

  test('a client that connects under one id after the other leaves nothing behind', async () => {
    const member = { kind: 'member', identityId: 'idt-1', tokenId: 'tok-1', orgIds: [] } as const;
    for (let n = 0; n < 5; n++) {
      const lease = await east.take(
        `idt-1/idt-1-${n}`,
        { client: member, expiresAt: clock.now() + 24 * hourMs },
        () => {},
      );
      lease.release();
    }
    await delay(100); // recorded together
    await hasLeft();
    clock.advance(minuteMs);
    await deleteExpiredConnections(store.db, clock.now());
    assert.deepEqual(await rows(), []);
  });
});
