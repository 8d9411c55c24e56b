import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { QuotaUsage } from '#contract/cloud/organizations.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { engines, openCloud, type Person, type Reply, type TestCloud } from '#test/cloud/open-cloud.ts';
import { ed25519, p256 } from '#test/cloud/people.ts';
import { createIdentity } from '../operator/identities.ts';

const env = {
  ORGANIZATIONS_PER_IDENTITY: '2',
  SITES_PER_ORGANIZATION: '3',
  GATEWAYS_PER_ORGANIZATION: '2',
  DEVICES_PER_ORGANIZATION: '4',
  DEVICES_PER_GATEWAY: '3',
  DERS_PER_DEVICE: '3',
  INVITATIONS_PER_ORGANIZATION: '3',
  OAUTH_CLIENTS_PER_ORGANIZATION: '2',
};

for (const { engine, skip } of engines) {
  describe(`quotas on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let ada: Person;
    let org: string;
    let site: string;
    let serial: string;
    before(async () => {
      cloud = await openCloud({ engine, env });
      ada = await cloud.person();
      org = await cloud.organization(ada);
      site = await cloud.site(ada, org);
      ({ serial } = await cloud.claim(ada, org));
    });
    after(() => cloud.close());

    const post = (path: string, body: object, as = ada): Promise<Reply> => cloud.call('POST', path, { as, body });
    const claim = () => {
      const gateway = p256();
      return post('/gateways/claim', cloud.claimOf(ada, org, gateway));
    };
    const provision = (hardware_id: string, on = serial, ders: object[] = []) =>
      post('/devices/provision', { gateway_serial: on, hardware_id, device_type: 'inverter', site_id: site, ders });
    const client = () =>
      post(`/organizations/${org}/oauth-clients`, {
        name: 'App',
        redirect_uris: ['https://app.example/'],
        confidential: false,
      });

    /** Asserts that of the parallel requests `room` succeed and the others are refused by the setting. */
    async function assertRoom(room: number, setting: keyof typeof env, requests: Promise<Reply>[]): Promise<void> {
      const replies = await Promise.all(requests);
      const refused = replies.filter(({ status }) => status === 409);
      const made = replies.filter(({ status }) => status === 201);
      assert.deepEqual([made.length, refused.length], [room, requests.length - room]);
      for (const { body } of refused) {
        assert.equal(body.error, 'quota_exceeded');
        assert.match(body.detail, new RegExp(`the limit is ${env[setting]}\\..* raise ${setting}\\.$`));
      }
    }

    const five = <T>(make: (index: number) => T): T[] => Array.from({ length: 5 }, (_, index) => make(index));

    test('parallel requests cannot exceed the quota of an organization', async () => {
      await assertRoom(
        2,
        'SITES_PER_ORGANIZATION',
        five(() => post('/sites', { org_id: org, name: 'House' })),
      );
      await assertRoom(1, 'GATEWAYS_PER_ORGANIZATION', five(claim));
      await assertRoom(2, 'OAUTH_CLIENTS_PER_ORGANIZATION', five(client));
      const invite = () => post(`/organizations/${org}/invitations`, { role: 'viewer' });
      await assertRoom(3, 'INVITATIONS_PER_ORGANIZATION', five(invite));
      cloud.clock.advance(7 * 24 * 3_600_000);
      ada.token = await cloud.signIn(ada);
      await assertRoom(3, 'INVITATIONS_PER_ORGANIZATION', five(invite));
      const { body } = await cloud.call('GET', `/organizations/${org}/invitations`, { as: ada });
      await cloud.call('DELETE', `/organizations/${org}/invitations/${body[0].id}`, { as: ada });
    });

    test('an identity is limited by the organizations it created, and deleting one makes room', async () => {
      const create = () => post('/organizations', { name: 'Home' });
      await assertRoom(1, 'ORGANIZATIONS_PER_IDENTITY', five(create));
      const { body } = await cloud.call('GET', '/organizations', { as: ada });
      const other = (body as { id: string }[]).find(({ id }) => id !== org)!.id;
      const bob = await cloud.member(ada, org, 'viewer');
      assert.equal((await post(`/organizations/${other}/members`, { identity_id: bob.id, role: 'owner' })).status, 201);
      assert.equal((await cloud.call('DELETE', `/organizations/${other}/members/${ada.id}`, { as: ada })).status, 204);
      await assertRoom(0, 'ORGANIZATIONS_PER_IDENTITY', [create()]); // handed over, and still hers to answer for
      await cloud.organization(bob); // owning one that another identity created takes nothing from his quota
      assert.equal((await cloud.call('DELETE', `/organizations/${other}`, { as: bob })).status, 204);
      await assertRoom(1, 'ORGANIZATIONS_PER_IDENTITY', [create(), create()]);
    });

    test('devices are limited by gateway and by organization; updating one does not count', async () => {
      await assertRoom(
        3,
        'DEVICES_PER_GATEWAY',
        five((index) => provision(`A-${index}`)),
      );
      const { body } = await cloud.call('GET', '/gateways', { as: ada });
      const other = (body as { gateway_serial: string }[]).find(({ gateway_serial }) => gateway_serial !== serial)!;
      await assertRoom(
        1,
        'DEVICES_PER_ORGANIZATION',
        five((index) => provision(`B-${index}`, other.gateway_serial)),
      );
      const devices = (await cloud.call('GET', `/sites/${site}/devices`, { as: ada })).body;
      assert.equal((await provision(devices[0].hardware_id, serial)).status, 200);
    });

    test('the DERs of a device are limited, whether they are provisioned or added', async () => {
      const [device] = (await cloud.call('GET', `/sites/${site}/devices`, { as: ada })).body;
      const ders = [1, 2, 3, 4].map((number) => ({ name: `battery-${number}`, type: 'battery' }));
      const refused = await provision(device.hardware_id, serial, ders);
      assert.deepEqual([refused.status, refused.body.error], [409, 'quota_exceeded']);
      assert.match(refused.body.detail, /has 0 DERs, and 4 more were requested; the limit is 3\. .*DERS_PER_DEVICE/);
      assert.equal((await provision(device.hardware_id, serial, ders.slice(0, 2))).status, 200);
      const add = (index: number) => post(`/devices/${device.id}/ders`, { name: `meter-${index}`, type: 'meter' });
      await assertRoom(1, 'DERS_PER_DEVICE', five(add));
    });

    test('members see what their organization uses of each quota', async () => {
      const { status, body } = await cloud.call('GET', `/organizations/${org}/usage`, { as: ada });
      assert.equal(status, 200);
      const sites = (body as QuotaUsage[]).find(({ name }) => name === 'sites');
      assert.deepEqual(sites, { name: 'sites', used: 3, limit: 3, setting: 'SITES_PER_ORGANIZATION' });
      assert.ok((body as QuotaUsage[]).some(({ name }) => name === 'telemetry_bytes_today'));
    });

    test('a platform administrator has no quota', async () => {
      const signer = ed25519();
      await createIdentity({ key: parsePublicKey(signer.publicKey), type: 'admin', name: undefined }, cloud);
      const admin = { ...signer, id: '', token: await cloud.signIn(signer) };
      for (const name of ['A', 'B', 'C']) await cloud.organization(admin, name);
      assert.equal((await post('/sites', { org_id: org, name: 'House' }, admin)).status, 201);
    });
  });
}

test('a limit that is not counted at every insert is still exact, also after deletions', async (context) => {
  const cloud = await openCloud({ env: { SITES_PER_ORGANIZATION: '50' } });
  context.after(() => cloud.close());
  const ada = await cloud.person();
  const org_id = await cloud.organization(ada);
  const fill = async (): Promise<string[]> => {
    const create = () => cloud.call('POST', '/sites', { as: ada, body: { org_id, name: 'House' } });
    const replies = await Promise.all(Array.from({ length: 60 }, create));
    return replies.filter(({ status }) => status === 201).map(({ body }) => body.id);
  };
  const made = await fill();
  assert.equal(made.length, 50);
  for (const id of made.slice(0, 40)) await cloud.call('DELETE', `/sites/${id}`, { as: ada });
  assert.equal((await fill()).length, 40);
});
