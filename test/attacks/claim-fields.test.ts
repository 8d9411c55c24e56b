import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatTime } from '#contract/time.ts';
import { openCloud, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import { p256 } from '../cloud/people.ts';

describe('a claim with one wrong detail', () => {
  let cloud: TestCloud;
  let ada: Person;
  let bob: Person;
  let viewer: Person;
  let hers: string;
  let his: string;
  before(async () => {
    cloud = await openCloud();
    [ada, bob] = [await cloud.person(), await cloud.person()];
    [hers, his] = [await cloud.organization(ada), await cloud.organization(bob)];
    viewer = await cloud.member(ada, hers, 'viewer');
  });
  after(() => cloud.close());

  const send = (body: object, as = ada) => cloud.call('POST', '/gateways/claim', { as, body });
  const rows = async () => [
    await cloud.store.db.selectFrom('gateways').selectAll().execute(),
    await cloud.store.db.selectFrom('claim_nonces').selectAll().execute(),
    await cloud.store.db.selectFrom('audit').selectAll().execute(),
  ];

  async function refused(title: string, body: object, as = ada): Promise<void> {
    const before = await rows();
    const { status } = await send(body, as);
    assert.ok(status >= 400 && status < 500, `${title}: ${status}`);
    assert.deepEqual(await rows(), before, title);
  }

  test('changing any one bit of the signature or letter of the message is refused', async () => {
    const claim = cloud.claimOf(ada, hers, p256());
    const signature = Buffer.from(claim.signature, 'base64');
    for (const at of signature.keys()) {
      const bad = Buffer.from(signature);
      bad[at]! ^= 1 << (at % 8);
      await refused(`byte ${at} of the signature`, { ...claim, signature: bad.toString('base64') });
    }
    for (let at = 0; at < claim.message.length; at++) {
      const other = String.fromCharCode(claim.message.charCodeAt(at) ^ 1);
      const message = claim.message.slice(0, at) + other + claim.message.slice(at + 1);
      await refused(`letter ${at} of the message`, { ...claim, message });
    }
    assert.equal((await send(claim)).status, 201, 'the unchanged claim is accepted');
  });

  test('a field that names another object is refused, even if the gateway signed it', async () => {
    const [gateway, other] = [p256(), p256()];
    const time = formatTime(cloud.clock.now());
    const parts = [ada.id, 'nonce-1', time, gateway.serial];
    const wrongParts: [at: number, text: string][] = [
      [0, bob.id],
      [0, ada.id.toUpperCase()],
      [0, ''],
      [0, hers],
      [1, ''],
      [2, formatTime(cloud.clock.now() + 600_001)],
      [2, formatTime(cloud.clock.now() - 600_001)],
      [2, 'now'],
      [2, ''],
      [3, other.serial],
      [3, gateway.serial.toUpperCase()],
      [3, `${gateway.serial} `],
      [3, ''],
    ];
    for (const [at, text] of wrongParts) {
      const message = parts.with(at, text).join('|');
      await refused(message, cloud.claimOf(ada, hers, gateway, { message }));
    }
    const good = cloud.claimOf(ada, hers, gateway);
    await refused('the organization of another', { ...good, org_id: his });
    await refused('an unknown organization', { ...good, org_id: 'org-missing' });
    await refused('the serial of another', { ...good, gateway_serial: other.serial });
    await refused('the key of another', { ...good, public_key: other.publicKey });
    await refused('sent by another', good, bob);
    await refused('sent by another into their own', { ...good, org_id: his }, bob);
    await refused('sent by a viewer', cloud.claimOf(viewer, hers, gateway), viewer);
    assert.equal((await send(good)).status, 201, 'with all fields right it is accepted');
  });

  test('a serial that could act as a topic filter is refused', async () => {
    for (const serial of [
      '#',
      '+',
      'gw/+',
      'gw/#',
      'a#b',
      'gw+1',
      '$SYS',
      'gw.1',
      'gw 1',
      'gw\n1',
      'g\u0000w',
      'åäö',
    ]) {
      await refused(serial, cloud.claimOf(ada, hers, p256(serial)));
    }
  });

  test('provisioning accepts only a gateway and a site of the same organization, out of four combinations', async () => {
    const cabin = await cloud.organization(ada, 'Cabin');
    const places = {
      home: { site: await cloud.site(ada, hers), gateway: (await cloud.claim(ada, hers)).serial },
      cabin: { site: await cloud.site(ada, cabin), gateway: (await cloud.claim(ada, cabin)).serial },
      foreign: { site: await cloud.site(bob, his), gateway: (await cloud.claim(bob, his)).serial },
      missing: { site: 'sit-missing', gateway: 'ohm-missing' },
    };
    const isMine = (place: string): boolean => place === 'home' || place === 'cabin';
    const devices = async () => (await cloud.store.db.selectFrom('devices').selectAll().execute()).length;
    for (const [siteAt, { site }] of Object.entries(places)) {
      for (const [gatewayAt, { gateway }] of Object.entries(places)) {
        const countBefore = await devices();
        const body = { gateway_serial: gateway, hardware_id: 'MIX', device_type: 'inverter', site_id: site };
        const { status } = await cloud.call('POST', '/devices/provision', { as: ada, body });
        const isRight = siteAt === gatewayAt && isMine(siteAt);
        const expected = isRight ? 201 : isMine(siteAt) && isMine(gatewayAt) ? 409 : 404;
        assert.equal(status, expected, `site ${siteAt}, gateway ${gatewayAt}`);
        assert.equal(await devices(), countBefore + (isRight ? 1 : 0));
      }
    }
  });
});
