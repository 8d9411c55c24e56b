import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { engines, openCloud, type TestCloud } from '../cloud/open-cloud.ts';
import { requestOf } from './requests.ts';
import { type Actor, buildWorld, type World } from './world.ts';

type Fields = { properties: Record<string, unknown>; required?: string[]; minProperties?: number };

const fieldsOf = (route: Route): Fields => route.body as unknown as Fields;

/** Returns whether a request without a body is valid. */
const mayBeEmpty = (route: Route): boolean => {
  const { required = [], minProperties = 0 } = fieldsOf(route);
  return required.length === 0 && minProperties === 0;
};

// The broker's callouts have rules and tests of their own; signed challenges are tested with the identities,
// OAuth in test/oauth.
const withBody = cloudRoutes.filter(
  ({ body, path, access, oauthErrors }) => body && path !== '/auth/verify' && access !== 'internal' && !oauthErrors,
);

const everyFieldName = [
  ...new Set(cloudRoutes.flatMap((route) => Object.keys(fieldsOf(route)?.properties ?? {}))),
  'id',
  'identity_id',
  'owner_id',
  'created_at',
  'claimed_at',
  'state',
  'online',
  'created',
  'constructor',
  'toString',
];

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Bodies that every route refuses. */
const hostile: Record<string, { text: string | Buffer; status: number }> = {
  nothing: { text: '', status: 400 },
  'a broken object': { text: '{"name":', status: 400 },
  'a number': { text: '7', status: 400 },
  null: { text: 'null', status: 400 },
  'a list': { text: '[]', status: 400 },
  'text after the object': { text: '{} {}', status: 400 },
  'a hundred thousand nested lists': { text: nested(100_000), status: 400 },
  'a depth of 33': { text: nested(33), status: 400 },
  'a body of 300 KiB': { text: JSON.stringify({ name: 'x'.repeat(300 * 1024) }), status: 413 },
  'ten thousand keys': {
    text: JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 1]))),
    status: 400,
  },
  'a polluted prototype': { text: '{"__proto__":{"admin":true}}', status: 400 },
  'a polluted constructor': { text: '{"constructor":{"prototype":{"admin":true}}}', status: 400 },
  'a key twice': { text: '{"name":"a","name":"b"}', status: 400 },
  'a key twice, once escaped': { text: '{"name":"a","n\\u0061me":"b"}', status: 400 },
  'an infinite number': { text: '{"latitude":1e999}', status: 400 },
  'bytes that are not UTF-8': { text: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), status: 400 },
  'a byte order mark': { text: Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), status: 400 },
};

const wrongValues: Record<string, unknown> = {
  null: null,
  true: true,
  'a negative number': -1,
  'a fraction': 0.5,
  'an empty list': [],
  'a list': [['x']],
  'an object': { x: 1 },
  'empty text': '',
  NUL: 'a\u0000b',
  'a line break': 'a\nb',
  'an escape character': '\u001b[31m',
  'half a character': '\ud800',
  'very long text': 'x'.repeat(10_000),
  'a wildcard': 'a/+/#',
  SQL: "' or 1=1; --",
};

for (const { engine, skip } of engines) {
  describe(`bad input on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let world: World;
    let owner: Actor;
    let tries = 0;
    before(async () => {
      cloud = await openCloud({ engine });
      await cloud.start();
      world = await buildWorld(cloud);
      owner = world.actors.owner!;
    });
    after(async () => {
      console.log(`${tries} bad requests tried on ${engine}`);
      await cloud.close();
    });

    const good = (route: Route) => {
      const { organization, site, gateway, device, der, member } = world.targets.own;
      const names = {
        organization: organization!.id,
        site: site!.id,
        gateway: gateway!.id,
        device: device!.id,
        der: der!.id,
        member: member!.id,
      };
      return requestOf(route, names, owner, cloud);
    };

    /** Sends a request a second after the one before, so that no budget runs out. */
    function send(route: Route, options: Parameters<TestCloud['call']>[2]): ReturnType<TestCloud['call']> {
      const { method, url } = good(route);
      cloud.clock.advance(1000);
      tries++;
      return cloud.call(method, url, { as: owner, ...options });
    }

    async function refused(route: Route, payload: string | Buffer, title: string, statuses: number[]): Promise<void> {
      const reply = await send(route, { body: payload, headers: { 'content-type': 'application/json' } });
      assert.ok(statuses.includes(reply.status), `${title}: ${reply.status} ${JSON.stringify(reply.body)}`);
      assert.match(String(reply.headers['content-type']), /^application\/problem\+json/, title);
      assert.equal(reply.body.status, reply.status);
      assert.ok(reply.body.detail.length > 0 && reply.body.message === reply.body.detail);
    }

    for (const route of withBody) {
      test(`${route.method} ${route.path} refuses an invalid body and stores nothing`, async () => {
        const before = await everything(cloud);
        for (const [title, { text, status }] of Object.entries(hostile))
          if (!['', 'null'].includes(String(text)) || !mayBeEmpty(route)) await refused(route, text, title, [status]);

        const body = good(route).body as Record<string, unknown>;
        for (const field of everyFieldName.filter((name) => !(name in fieldsOf(route).properties))) {
          await refused(route, JSON.stringify({ ...body, [field]: 'x' }), `the unknown field ${field}`, [400]);
        }
        for (const field of fieldsOf(route).required ?? []) {
          const { [field]: _, ...rest } = body;
          await refused(route, JSON.stringify(rest), `without ${field}`, [400]);
        }
        assert.deepEqual(await everything(cloud), before);
      });

      test(`${route.method} ${route.path} names the invalid field and never fails with 5xx`, async () => {
        const body = good(route).body as Record<string, unknown>;
        for (const field of Object.keys(fieldsOf(route).properties)) {
          for (const [title, value] of Object.entries(wrongValues)) {
            const reply = await send(route, { body: { ...body, [field]: value } });
            assert.ok(reply.status < 500, `${field} as ${title}: ${reply.status}`);
            if (reply.status !== 400) continue;
            assert.ok(
              reply.body.errors[0].path.startsWith(`body.${field}`),
              `${field} as ${title}: ${JSON.stringify(reply.body)}`,
            );
          }
        }
      });
    }

    test('any path and query is answered, and never with 5xx', async () => {
      const pieces = [
        '%00',
        '%0a',
        '%ff',
        '%ed%a0%80',
        '..%2f..%2fetc',
        '%2e%2e',
        '%',
        "'",
        'a%2fb',
        '+',
        '%23',
        'x'.repeat(600),
        '\u00e5',
        '🔌',
        '%F0%9F%94%8C',
      ];
      for (const piece of pieces) {
        for (const url of [
          `/sites/${piece}`,
          `/gateways/${piece}`,
          `/ders/${piece}`,
          `/public/der-types/${piece}`,
          `/sites?org_id=${piece}`,
          `/sites?cursor=${piece}`,
        ]) {
          const sent = encodeURI(url).replaceAll('%25', '%');
          const reply = await cloud.call('GET', sent, { as: owner });
          tries++;
          // The client resolves `..` before it sends, and the result is the start page.
          if (new URL(sent, 'http://localhost').pathname === '/') continue;
          if (url.startsWith('/sites?org_id=') && reply.status === 200) {
            assert.deepEqual(reply.body, [], url);
            continue;
          }
          assert.ok(reply.status === 400 || reply.status === 404 || reply.status === 414, `${url}: ${reply.status}`);
          assert.equal(reply.body.status, reply.status);
        }
      }
    });

    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '*/*',
    ]) {
      test(`a body as ${type} is refused with 415`, async () => {
        const reply = await cloud.call('POST', '/organizations', {
          as: owner,
          body: '{"name":"x"}',
          headers: { 'content-type': type },
        });
        assert.equal(reply.status, 415);
      });
    }

    test('a method that a path does not support is answered with the supported ones', async () => {
      const reply = await cloud.call('PATCH', '/sites', { as: owner });
      assert.equal(reply.status, 405);
      assert.match(reply.body.detail, /GET, POST/);
      for (const spelling of ['/Sites', '/sites//', '//sites', '/sites/../internal', '/internal', '/sites;x=1']) {
        assert.equal((await cloud.call('GET', spelling, { as: owner })).status, 404, spelling);
      }
      const overridden = await cloud.call('POST', `/sites/${world.targets.own.site!.id}`, {
        as: owner,
        headers: { 'x-http-method-override': 'DELETE' },
      });
      assert.equal(overridden.status, 405);
    });
  });
}

/** All rows of all tables that requests can write to. */
async function everything({ store }: TestCloud): Promise<unknown> {
  const tables = [
    'identities',
    'organizations',
    'members',
    'sites',
    'gateways',
    'claim_nonces',
    'devices',
    'ders',
    'audit',
    'idempotency',
    'cells',
  ] as const;
  const rows = [];
  for (const table of tables) rows.push(await store.db.selectFrom(table).selectAll().execute());
  return rows;
}
