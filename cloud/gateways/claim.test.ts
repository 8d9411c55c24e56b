import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs } from '#contract/time.ts';
import { twin } from '#test/attacks/twin.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import type { Person } from '#test/cloud/open-cloud.ts';
import { ed25519, type GatewaySigner, p256 } from '#test/cloud/people.ts';

onEachEngine('claims', async (cloud) => {
  const ada = await cloud.person();
  const org = await cloud.organization(ada);

  const send = (body: object, as = ada) => cloud.call('POST', '/gateways/claim', { as, body });

  test('a gateway that signs for its claimer is claimed', async () => {
    const gateway = p256();
    const reply = await send(cloud.claimOf(ada, org, gateway));
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.body, {
      gateway_serial: gateway.serial,
      org_id: org,
      public_key: gateway.publicKey,
      claimed_at: '2026-06-01T12:00:00.000Z',
      transferred: false,
    });
    const seen = await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada });
    assert.deepEqual(seen.body, {
      gateway_serial: gateway.serial,
      org_id: org,
      public_key: gateway.publicKey,
      claimed_at: '2026-06-01T12:00:00.000Z',
      online: false,
      last_seen: null,
      device_count: 0,
      dropped: {},
    });
  });

  test('claiming again into the same organization changes nothing', async () => {
    const gateway = await cloud.claim(ada, org);
    const again = await send(cloud.claimOf(ada, org, gateway));
    assert.equal(again.status, 200);
    assert.equal(again.body.transferred, false);
    const rows = (await cloud.call('GET', `/organizations/${org}/audit`, { as: ada })).body.filter(
      ({ object }: { object: string }) => object === gateway.serial,
    );
    assert.deepEqual(
      rows.map(({ action, details }: { action: string; details: object }) => ({ action, ...details })),
      [{ action: 'gateway.claimed', again: true }, { action: 'gateway.claimed' }],
    );
  });

  for (const { says, change, status, error } of [
    {
      says: 'a message for another gateway',
      change: { message: (id: string) => `${id}|n1|2026-06-01T12:00:00Z|ohm-0000` },
      status: 403,
      error: 'claim_refused',
    },
    {
      says: 'a message for another claimer',
      change: { message: (_: string, serial: string) => `idt-x|n2|2026-06-01T12:00:00Z|${serial}` },
      status: 403,
      error: 'claim_refused',
    },
    {
      says: 'a message of three parts',
      change: { message: (id: string, serial: string) => `${id}|2026-06-01T12:00:00Z|${serial}` },
      status: 400,
      error: 'invalid_request',
    },
    {
      says: 'a message of five parts',
      change: { message: (id: string, serial: string) => `${id}|n|x|2026-06-01T12:00:00Z|${serial}` },
      status: 400,
      error: 'invalid_request',
    },
    {
      says: 'a message with an empty nonce',
      change: { message: (id: string, serial: string) => `${id}||2026-06-01T12:00:00Z|${serial}` },
      status: 400,
      error: 'invalid_request',
    },
    {
      says: 'a message with an invalid time',
      change: { message: (id: string, serial: string) => `${id}|n3|yesterday|${serial}` },
      status: 400,
      error: 'invalid_request',
    },
    {
      says: 'a message of 31 February',
      change: { message: (id: string, serial: string) => `${id}|n4|2026-02-31T12:00:00Z|${serial}` },
      status: 400,
      error: 'invalid_request',
    },
    {
      says: 'a message eleven minutes old',
      change: { message: (id: string, serial: string) => `${id}|n5|2026-06-01T11:49:00Z|${serial}` },
      status: 403,
      error: 'claim_expired',
    },
    {
      says: 'a message eleven minutes ahead',
      change: { message: (id: string, serial: string) => `${id}|n6|2026-06-01T12:11:00Z|${serial}` },
      status: 403,
      error: 'claim_expired',
    },
  ]) {
    test(`${says} is refused`, async () => {
      const gateway = p256();
      const reply = await send(cloud.claimOf(ada, org, gateway, { message: change.message(ada.id, gateway.serial) }));
      assert.equal(reply.status, status);
      assert.equal(reply.body.error, error);
      assert.equal((await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada })).status, 404);
    });
  }

  for (const time of ['1780315200', '1780315200000', '2026-06-01T14:00:00+02:00', '2026-06-01T12:00:00.123456Z']) {
    test(`the time may be written ${time}`, async () => {
      const gateway = p256();
      const message = `${ada.id}|nonce|${time}|${gateway.serial}`;
      assert.equal((await send(cloud.claimOf(ada, org, gateway, { message }))).status, 201);
    });
  }

  test('a signature by another key, an Ed25519 key, or a key for another serial is refused', async () => {
    const gateway = p256();
    const good = cloud.claimOf(ada, org, gateway);
    assert.equal((await send({ ...good, signature: p256().sign(good.message) })).body.error, 'claim_refused');
    assert.equal((await send({ ...good, public_key: ed25519().publicKey })).status, 400);
    const thief = p256();
    const squat = { ...cloud.claimOf(ada, org, { ...thief, serial: gateway.serial }) };
    assert.equal((await send(squat)).body.error, 'claim_refused');
    assert.equal((await send(cloud.claimOf(ada, org, p256('ohm-anything')))).body.error, 'claim_refused');
  });

  test('another serial is bound to the key of its first claim', async () => {
    const gateway = p256(`acme-${Math.floor(cloud.clock.now()).toString(36)}`);
    await cloud.claim(ada, org, gateway);
    const thief = await cloud.person();
    const theirs = await cloud.organization(thief);
    const stolen = cloud.claimOf(thief, theirs, { ...p256(), serial: gateway.serial });
    assert.equal((await send(stolen, thief)).status, 403);
    assert.equal((await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada })).status, 204);
    assert.equal((await send(stolen, thief)).status, 403, 'the key stays bound after release');
  });

  test('only the very same request is answered again; the message is good for nothing else', async () => {
    const gateway = p256();
    const request = cloud.claimOf(ada, org, gateway);
    assert.equal((await send(request)).status, 201);
    assert.equal((await send(request)).status, 200);
    const otherOrg = await cloud.organization(ada, 'Cottage');
    assert.equal((await send({ ...request, org_id: otherOrg })).body.error, 'claim_replayed');
    assert.equal(
      (await send({ ...request, signature: twin(request.signature), org_id: otherOrg })).body.error,
      'claim_replayed',
    );
  });

  test('the same request is answered 200 however old it is, as long as nothing changed since', async () => {
    const gateway = p256();
    const request = cloud.claimOf(ada, org, gateway);
    assert.equal((await send(request)).status, 201);
    cloud.clock.advance(400 * dayMs);
    ada.token = await cloud.signIn(ada);
    const eve = await cloud.member(ada, org, 'admin');
    const again = await send(request);
    assert.deepEqual([again.status, again.body.transferred], [200, false]);
    assert.equal((await send(request, eve)).body.error, 'claim_refused', 'another caller');
    const cottage = await cloud.organization(ada, 'Cottage');
    assert.equal((await send({ ...request, org_id: cottage })).body.error, 'claim_expired', 'another organization');
  });

  for (const [says, change] of Object.entries({
    'it was released': (serial: string) => cloud.call('DELETE', `/gateways/${serial}`, { as: ada }),
    'it was released and claimed again': async (serial: string, gateway: GatewaySigner) => {
      await cloud.call('DELETE', `/gateways/${serial}`, { as: ada });
      return send(cloud.claimOf(ada, org, gateway));
    },
    'it was claimed again': (_: string, gateway: GatewaySigner) => send(cloud.claimOf(ada, org, gateway)),
    'it was transferred': async (_: string, gateway: GatewaySigner) => {
      const bob = await cloud.person();
      return send(cloud.claimOf(bob, await cloud.organization(bob), gateway), bob);
    },
    'it was transferred and came back': async (_: string, gateway: GatewaySigner) => {
      const bob = await cloud.person();
      await send(cloud.claimOf(bob, await cloud.organization(bob), gateway), bob);
      cloud.clock.advance(1000);
      return send(cloud.claimOf(ada, org, gateway));
    },
  })) {
    test(`an old request is refused when ${says} since`, async () => {
      const gateway = p256();
      const request = cloud.claimOf(ada, org, gateway);
      assert.equal((await send(request)).status, 201);
      cloud.clock.advance(1000);
      assert.ok((await change(gateway.serial, gateway)).status < 300);
      assert.equal((await send(request)).body.error, 'claim_expired');
      cloud.clock.advance(11 * 60_000);
      assert.equal((await send(request)).body.error, 'claim_expired');
    });
  }

  test('a claim dated in the future locks nobody out', async () => {
    const gateway = p256();
    const ahead = cloud.claimOf(ada, org, gateway, { atMs: cloud.clock.now() + 9 * 60_000 });
    assert.equal((await send(ahead)).status, 201);
    cloud.clock.advance(1000);
    assert.equal((await send(ahead)).status, 200);
    const bob = await cloud.person();
    const theirs = await cloud.organization(bob);
    assert.equal((await send(cloud.claimOf(bob, theirs, gateway), bob)).status, 200);
    assert.equal((await send(ahead)).body.error, 'claim_replayed');
    cloud.clock.advance(1000);
    assert.equal((await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: bob })).status, 204);
    assert.equal((await send(cloud.claimOf(ada, org, gateway))).status, 201);
  });

  test('an ownership time in the future, from a wrong clock, locks nobody out', async () => {
    const gateway = await cloud.claim(ada, org);
    const future = Math.floor(cloud.clock.now() / 1000) + 86_400;
    await cloud.store.write(({ db }) =>
      db.updateTable('gateways').set({ ownership_at_s: future }).where('serial', '=', gateway.serial).execute(),
    );
    const bob = await cloud.person();
    const transfer = await send(cloud.claimOf(bob, await cloud.organization(bob), gateway), bob);
    assert.equal(transfer.status, 200);
    const { ownership_at_s } = await cloud.store.db
      .selectFrom('gateways')
      .where('serial', '=', gateway.serial)
      .select('ownership_at_s')
      .executeTakeFirstOrThrow();
    assert.ok(ownership_at_s * 1000 <= cloud.clock.now());
  });

  test('claiming again and again leaves no growing list of nonces', async () => {
    const gateway = await cloud.claim(ada, org);
    ada.token = await cloud.signIn(ada);
    for (let times = 0; times < 4; times++) {
      cloud.clock.advance(4 * hourMs);
      await cloud.claim(ada, org, gateway);
    }
    const kept = await cloud.store.db
      .selectFrom('claim_nonces')
      .where('serial', '=', gateway.serial)
      .selectAll()
      .execute();
    ada.token = await cloud.signIn(ada);
    assert.equal(kept.length, 2, 'the first, and the last');
  });

  test('nonces of the last three hours stay, and so do those of earlier owners', async () => {
    const gateway = await cloud.claim(ada, org);
    const noncesOf = async () =>
      (await cloud.store.db.selectFrom('claim_nonces').where('serial', '=', gateway.serial).selectAll().execute())
        .length;
    for (const nonces of [2, 3]) {
      cloud.clock.advance(hourMs);
      await cloud.claim(ada, org, gateway);
      assert.equal(await noncesOf(), nonces);
    }
    cloud.clock.advance(4 * hourMs);
    const bob = await cloud.person();
    await cloud.claim(bob, await cloud.organization(bob), gateway);
    assert.equal(await noncesOf(), 4);
    ada.token = await cloud.signIn(ada);
  });

  test('a nonce is good for one message and one person', async () => {
    const gateway = p256();
    const request = cloud.claimOf(ada, org, gateway);
    assert.equal((await send(request)).status, 201);
    const [, nonce, time] = request.message.split('|');
    const eve = await cloud.member(ada, org, 'admin');
    for (const [as, message] of [
      [ada, `${ada.id}|${nonce}|${time?.replace('.000Z', 'Z')}|${gateway.serial}`],
      [eve, `${eve.id}|${nonce}|${time}|${gateway.serial}`],
    ] as const) {
      assert.notEqual(message, request.message);
      const { body } = await send({ ...request, message, signature: gateway.sign(message) }, as);
      assert.equal(body.error, 'claim_replayed');
    }
  });

  test('other processes learn of a first claim and of a transfer', async () => {
    const changes: unknown[] = [];
    cloud.store.onChange((change) => void changes.push(change));
    const gateway = await cloud.claim(ada, org);
    const { serial } = gateway;
    await cloud.claim(ada, org, gateway);
    const bob = await cloud.person();
    await cloud.claim(bob, await cloud.organization(bob), gateway);
    const told = changes.filter((change) => Object(change).serial === serial);
    assert.deepEqual(told, [
      { what: 'claim', serial },
      { what: 'gateway', serial },
    ]);
  });

  test('either S value of a signature is good', async () => {
    const request = cloud.claimOf(ada, org, p256());
    assert.equal((await send({ ...request, signature: twin(request.signature) })).status, 201);
  });

  test('an old claim does not bring a gateway back after a transfer or a release', async () => {
    const gateway = p256();
    const mine = cloud.claimOf(ada, org, gateway);
    const spare = cloud.claimOf(ada, org, gateway);
    assert.equal((await send(mine)).status, 201);
    const bob = await cloud.person();
    const theirs = await cloud.organization(bob);
    cloud.clock.advance(1000);
    const transfer = await send(cloud.claimOf(bob, theirs, gateway), bob);
    assert.equal(transfer.status, 200);
    assert.equal(transfer.body.transferred, true);
    assert.equal((await send(mine)).status, 403);
    assert.equal((await send(spare)).body.error, 'claim_expired', 'an unused message from before the transfer');
    cloud.clock.advance(1000);
    assert.equal((await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: bob })).status, 204);
    assert.equal((await send(mine)).status, 403);
    assert.equal((await send(cloud.claimOf(ada, org, gateway))).status, 201);
  });

  test('a claim within the same second as a transfer is still a replay', async () => {
    const gateway = p256();
    const mine = cloud.claimOf(ada, org, gateway);
    await send(mine);
    const bob = await cloud.person();
    const theirs = await cloud.organization(bob);
    await send(cloud.claimOf(bob, theirs, gateway), bob);
    assert.equal((await send(mine)).body.error, 'claim_replayed');
  });

  test('a transfer orphans the devices, hides the gateway from its old organization, and tells both', async () => {
    const gateway = await cloud.claim(ada, org);
    const site = await cloud.site(ada, org);
    const device = await cloud.provision(ada, site, gateway.serial);
    const bob = await cloud.person();
    const theirs = await cloud.organization(bob);
    await cloud.claim(bob, theirs, gateway);
    const old = await cloud.call('GET', `/devices/${device.id}`, { as: ada });
    assert.equal(old.body.state, 'orphaned');
    assert.equal((await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada })).status, 404);
    assert.equal((await cloud.call('GET', `/devices/${device.id}`, { as: bob })).status, 404);
    const actions = async (as: Person, orgId: string): Promise<string[]> =>
      (await cloud.call('GET', `/organizations/${orgId}/audit`, { as })).body.map(
        (entry: { action: string }) => entry.action,
      );
    assert.ok((await actions(ada, org)).includes('gateway.transferred_out'));
    assert.ok((await actions(bob, theirs)).includes('gateway.transferred_in'));
    const newSite = await cloud.site(bob, theirs);
    const anew = await cloud.provision(bob, newSite, gateway.serial);
    assert.equal(anew.created, true);
    assert.notEqual(anew.id, device.id);
  });

  test('races of claim, claim and release end as if one came after the other', async () => {
    const bob = await cloud.person();
    const theirs = await cloud.organization(bob);
    for (let round = 0; round < 25; round++) {
      const gateway = await cloud.claim(ada, org);
      const [first, second, release] = await Promise.all([
        send(cloud.claimOf(ada, org, gateway)),
        send(cloud.claimOf(bob, theirs, gateway), bob),
        cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada }),
      ]);
      const row = await cloud.store.db
        .selectFrom('gateways')
        .where('serial', '=', gateway.serial)
        .selectAll()
        .executeTakeFirstOrThrow();
      assert.ok([200, 201].includes(first.status), `first ${first.status}`);
      assert.ok([200, 201].includes(second.status), `second ${second.status}`);
      assert.ok([204, 404].includes(release.status), `release ${release.status}`);
      const owners: (string | null)[] = release.status === 204 ? [org, theirs, null] : [org, theirs];
      assert.ok(owners.includes(row.org_id));
      if (row.org_id === null) assert.equal(release.status, 204);
    }
  });

  test('a message that was signed before a release, and never used, does not undo it', async () => {
    const gateway = await cloud.claim(ada, org, p256());
    cloud.clock.advance(1000);
    const spare = cloud.claimOf(ada, org, gateway);
    cloud.clock.advance(1000);
    assert.equal((await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada })).status, 204);
    const { status, body } = await send(spare);
    assert.deepEqual([status, body.error], [403, 'claim_expired']);
    assert.equal((await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada })).status, 404);
  });
});
