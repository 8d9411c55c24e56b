import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { engines, openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';
import { ed25519, type GatewaySigner, p256 } from '#test/cloud/people.ts';
import { findGateway, listKnownGateways } from '../store/gateways.ts';
import { allowGateway, forgetGateway } from './gateways.ts';

const listingOf = ({ serial, publicKey }: GatewaySigner) => ({
  serial,
  key: parsePublicKey(publicKey),
  selfProvingPrefixes: ['ohm'],
});

for (const { engine, skip } of engines) {
  suite(`gateways listed by the operator, on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    before(async () => {
      cloud = await openCloud({ engine, env: { GATEWAY_TRUST: 'listed' } });
    });
    after(() => cloud.close());

    test('a listed gateway is claimed with its key and no other', async () => {
      const gateway = p256('garage-1');
      const person = await cloud.person();
      const orgId = await cloud.organization(person);
      await assert.rejects(cloud.claim(person, orgId, gateway), /not listed/);
      await allowGateway(listingOf(gateway), cloud);
      await assert.rejects(cloud.claim(person, orgId, p256('garage-1')), /another key/);
      await cloud.claim(person, orgId, gateway);
      assert.equal((await findGateway(cloud.store.db, 'garage-1'))?.listed, 1);
    });

    test('a serial bound to another key is refused', async () => {
      await allowGateway(listingOf(p256('garage-2')), cloud);
      await assert.rejects(allowGateway(listingOf(p256('garage-2')), cloud), { code: 'claim_refused' });
    });

    test('a serial that proves itself is listed for its own key only', async () => {
      const gateway = p256();
      await assert.rejects(allowGateway(listingOf(p256(gateway.serial)), cloud), /does not belong to this key/);
      await allowGateway(listingOf(gateway), cloud);
    });

    test('a malformed serial and a key of the wrong kind are refused', async () => {
      await assert.rejects(allowGateway(listingOf(p256('a.b')), cloud), { message: /^A serial has/ });
      const key = parsePublicKey(ed25519().publicKey);
      const listing = { serial: 'garage-3', key, selfProvingPrefixes: [] };
      await assert.rejects(allowGateway(listing, cloud), { name: 'KeyError' });
    });

    test('listing a gateway that is owned tells its organization', async () => {
      const person = await cloud.person();
      const orgId = await cloud.organization(person);
      const gateway = await cloud.claim(person, orgId);
      await allowGateway(listingOf(gateway), cloud);
      const { body } = await cloud.call('GET', `/organizations/${orgId}/audit`, { as: person });
      assert.deepEqual([body[0].actor, body[0].action, body[0].object], ['operator', 'gateway.listed', gateway.serial]);
    });

    test('a gateway is forgotten only when nobody owns it and no device is on it', async () => {
      const { owner: person, gateway, device } = await cloud.home();
      const { serial } = gateway;
      await assert.rejects(forgetGateway(serial, cloud), /must be released first/);
      await cloud.call('DELETE', `/gateways/${serial}`, { as: person });
      await assert.rejects(forgetGateway(serial, cloud), /still has a device of a former owner/);
      await cloud.call('DELETE', `/devices/${device.id}`, { as: person });
      await forgetGateway(serial, cloud);
      await assert.rejects(forgetGateway(serial, cloud), { code: 'not_found' });
      const known = await listKnownGateways(cloud.store.db);
      assert.equal(
        known.some((gateway) => gateway.serial === serial),
        false,
      );
    });
  });
}
