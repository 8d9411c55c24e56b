import assert from 'node:assert/strict';
import { after, beforeEach, suite, test } from 'node:test';
import { openCloud, type TestCloud } from '../../cloud/open-cloud.ts';
import { ed25519 } from '../../cloud/people.ts';

const budget = 5;

suite('a budget', () => {
  let cloud: TestCloud | undefined;
  beforeEach(async () => {
    await cloud?.close();
    cloud = await openCloud({ env: { RATE_LOGIN: String(budget), RATE_REGISTER: String(budget) } });
  });
  after(() => cloud?.close());

  async function askFrom(remoteAddress: string, headers: Record<string, string> = {}): Promise<number> {
    const reply = await cloud!.app.inject({
      method: 'POST',
      url: '/auth/challenge',
      remoteAddress,
      headers,
      payload: { public_key: ed25519().publicKey },
    });
    return reply.statusCode;
  }

  const all = [...Array<number>(budget).fill(200), 429, 429];

  for (const { title, of } of [
    { title: 'claims another address', of: (n: number) => ({ 'x-forwarded-for': `192.0.2.${n}` }) },
    { title: 'claims it in the standard header', of: (n: number) => ({ forwarded: `for=192.0.2.${n}` }) },
    {
      title: 'claims it in headers of proxies',
      of: (n: number) => ({ 'x-real-ip': `192.0.2.${n}`, 'cf-connecting-ip': `192.0.2.${n}` }),
    },
    { title: 'names another host', of: (n: number) => ({ host: `host${n}.example` }) },
  ]) {
    test(`is not raised for a client that ${title}`, async () => {
      const statuses: number[] = [];
      for (const n of all.keys()) statuses.push(await askFrom('198.51.100.7', of(n)));
      assert.deepEqual(statuses, all);
    });
  }

  test('counts per home, whichever of its IPv6 addresses is used, and IPv4 mapped in IPv6 is IPv4', async () => {
    const statuses: number[] = [];
    for (const n of all.keys()) statuses.push(await askFrom(`2001:db8:1:2:${n}::${n}`));
    assert.deepEqual(statuses, all);
    assert.equal(await askFrom('2001:db8:1:3::1'), 200);
    for (let n = 0; n < budget; n++) await askFrom('192.0.2.9');
    assert.equal(await askFrom('::ffff:192.0.2.9'), 429);
  });

  test('for registration counts per address, however many keys are used', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < budget + 2; n++) {
      const { status } = await cloud!.call('POST', '/identity/register', { body: { public_key: ed25519().publicKey } });
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array<number>(budget).fill(201), 429, 429]);
  });
});
