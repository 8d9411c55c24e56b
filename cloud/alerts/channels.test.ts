import assert from 'node:assert/strict';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { after, describe, mock, test } from 'node:test';
import { minuteMs } from '#contract/time.ts';
import { expectStatus, openCloud, type Person } from '#test/cloud/open-cloud.ts';
import { post } from './post.ts';
import { createBrowser, isSigned, openMailServer, openReceiver, vapidClaims } from './testing/receivers.ts';

describe('receivers of alerts', async () => {
  const receiver = await openReceiver();
  const mailServer = await openMailServer();
  const cloud = await openCloud({
    env: {
      SMTP_URL: mailServer.url,
      SMTP_FROM: 'Ohmstead <alerts@home.test>',
      ALERTS_PRIVATE_NETWORKS: 'true',
      NTFY_URL: receiver.url,
      ALERT_CHANNELS_PER_IDENTITY: '3',
      ALERT_HOOKS_PER_SITE: '2',
    },
  });
  after(() => Promise.all([cloud.close(), receiver.close(), mailServer.close()]));
  const { call } = cloud;

  const add = (as: Person, body: object) => call('POST', '/alert-channels', { as, body: { language: 'en', ...body } });
  const send = (as: Person, id: string) => call('POST', `/alert-channels/${id}/test`, { as });
  const verify = (as: Person, id: string, code: string) =>
    call('POST', `/alert-channels/${id}/verify`, { as, body: { code } });
  const codeIn = (source = ''): string => /Subject: (\d{6})/.exec(source)?.[1] ?? '';

  test('an e-mail address receives a code, and a test only after the code was entered', async () => {
    const ada = await cloud.person();
    const { id, verified } = await expectStatus(201, add(ada, { email: 'Ada@Example.test' }));
    assert.equal(verified, false);
    assert.equal(mailServer.mails.length, 0, 'nothing is sent before it is asked for');
    assert.deepEqual((await send(ada, id)).body, { delivered: true });
    const [mail] = mailServer.mails;
    assert.deepEqual([mail?.from, mail?.to], ['alerts@home.test', ['ada@example.test']]);
    const code = codeIn(mail?.source);
    const wrong = code === '111111' ? '222222' : '111111';
    assert.equal((await verify(ada, id, wrong)).status, 422);
    assert.equal((await verify(ada, id, code)).body.verified, true);
    assert.deepEqual((await send(ada, id)).body, { delivered: true });
    assert.match(mailServer.mails[1]!.source, /Alerts reach you here/);
    assert.equal((await call('DELETE', `/alert-channels/${id}`, { as: ada })).status, 204);
    assert.deepEqual((await call('GET', '/alert-channels', { as: ada })).body, []);
  });

  test('a code ends after 15 minutes and after five wrong entries, and an address gets five a day', async () => {
    const eve = await cloud.person();
    const { id } = await expectStatus(201, add(eve, { email: 'victim@example.test' }));
    mailServer.mails.length = 0;
    await expectStatus(200, send(eve, id));
    cloud.clock.advance(15 * minuteMs);
    assert.equal((await verify(eve, id, codeIn(mailServer.mails[0]!.source))).status, 410);
    await expectStatus(200, send(eve, id));
    for (let n = 0; n < 5; n++) assert.equal((await verify(eve, id, 'wrong')).status, 422);
    assert.equal((await verify(eve, id, codeIn(mailServer.mails[1]!.source))).status, 410);
    for (let n = 0; n < 3; n++) await expectStatus(200, send(eve, id));
    assert.equal((await send(eve, id)).status, 429);
    const mallory = await cloud.person();
    const again = await expectStatus(201, add(mallory, { email: 'Victim@example.test' }));
    assert.equal((await send(mallory, again.id)).status, 429, 'another identity does not help');
    assert.equal(mailServer.mails.length, 5);
  });

  test('a mail server that refuses is reported, not hidden', async () => {
    const ada = await cloud.person();
    const { id } = await expectStatus(201, add(ada, { email: 'later@example.test' }));
    mailServer.state.isDown = true;
    assert.deepEqual((await send(ada, id)).body, {
      delivered: false,
      reason: 'The mail server did not accept the message.',
    });
    mailServer.state.isDown = false;
  });

  test('a browser is added once, tested, and belongs to who signed in last', async () => {
    const ada = await cloud.person();
    const browser = createBrowser(`${receiver.url}/browser`);
    const { id, endpoint_hash, ...shown } = await expectStatus(
      201,
      add(ada, { push: browser.subscription, name: 'Phone' }),
    );
    assert.ok(endpoint_hash);
    assert.ok(!JSON.stringify(shown).includes(browser.subscription.keys.auth));
    receiver.received.length = 0;
    assert.deepEqual((await send(ada, id)).body, { delivered: true });
    const { push_public_key } = (await call('GET', '/alert-options', { as: ada })).body;
    assert.ok(vapidClaims(receiver.received[0]!, push_public_key));
    assert.equal(browser.decrypt(receiver.received[0]!).title, 'Test from Ohmstead');
    const bob = await cloud.person();
    await expectStatus(201, add(bob, { push: browser.subscription }));
    assert.deepEqual((await call('GET', '/alert-channels', { as: ada })).body, []);
    assert.equal((await send(ada, id)).status, 404);
  });

  test('nobody reaches the channels of others, and there is a limit', async () => {
    const [ada, bob] = [await cloud.person(), await cloud.person()];
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push((await expectStatus(201, add(ada, { email: `a${n}@example.test` }))).id);
    const refused = await add(ada, { email: 'a4@example.test' });
    assert.deepEqual([refused.status, refused.body.error], [409, 'quota_exceeded']);
    const [id = ''] = ids;
    for (const reply of [
      send(bob, id),
      verify(bob, id, '000000'),
      call('DELETE', `/alert-channels/${id}`, { as: bob }),
    ])
      assert.equal((await reply).status, 404);
  });

  test('a webhook is signed with a secret that is shown once', async () => {
    const { owner, site, org } = await cloud.home();
    const hooks = `/sites/${site}/alert-hooks`;
    const { secret, id, url } = await expectStatus(
      201,
      call('POST', hooks, { as: owner, body: { kind: 'webhook', url: `${receiver.url}/in/secret-path` } }),
    );
    assert.ok(!url.includes('secret-path'));
    const listed = JSON.stringify((await call('GET', hooks, { as: owner })).body);
    assert.ok(!listed.includes(secret) && !listed.includes('secret-path'));
    receiver.received.length = 0;
    assert.deepEqual((await call('POST', `${hooks}/${id}/test`, { as: owner })).body, { delivered: true });
    assert.ok(isSigned(receiver.received[0]!, secret));
    assert.ok(!isSigned(receiver.received[0]!, 'another secret'));
    const audit = JSON.stringify((await call('GET', `/organizations/${org}/audit`, { as: owner })).body);
    assert.ok(audit.includes(id) && !audit.includes(secret) && !audit.includes('secret-path'));
    assert.equal((await call('DELETE', `${hooks}/${id}`, { as: owner })).status, 204);
    assert.equal((await call('POST', `${hooks}/${id}/test`, { as: owner })).status, 404);
  });

  test('a topic of the operator is published to by its name, and one elsewhere with a token', async () => {
    const { owner, site } = await cloud.home();
    const hooks = `/sites/${site}/alert-hooks`;
    receiver.received.length = 0;
    for (const body of [
      { kind: 'ntfy', url: 'my-topic', language: 'sv' },
      { kind: 'ntfy', url: `${receiver.url}/base/other-topic`, access_token: 'tk_secret' },
    ]) {
      const { id, secret } = await expectStatus(201, call('POST', hooks, { as: owner, body }));
      assert.equal(secret, undefined);
      assert.deepEqual((await call('POST', `${hooks}/${id}/test`, { as: owner })).body, { delivered: true });
    }
    const [own, other] = receiver.received;
    assert.deepEqual([own?.path, other?.path, other?.headers.authorization], ['/', '/base/', 'Bearer tk_secret']);
    assert.deepEqual(
      receiver.json().map(({ topic, title }) => [topic, title]),
      [
        ['my-topic', 'Test från Ohmstead'],
        ['other-topic', 'Test from Ohmstead'],
      ],
    );
    assert.equal((await call('POST', hooks, { as: owner, body: { kind: 'ntfy', url: 'third' } })).status, 409);
  });

  test('a receiver that does not accept is reported', async () => {
    const { owner, site } = await cloud.home();
    const hooks = `/sites/${site}/alert-hooks`;
    const { id } = await expectStatus(
      201,
      call('POST', hooks, { as: owner, body: { kind: 'webhook', url: receiver.url } }),
    );
    const result = async () => (await call('POST', `${hooks}/${id}/test`, { as: owner })).body.reason;
    receiver.answer.status = 500;
    assert.equal(await result(), 'The receiver answered 500.');
    receiver.answer.status = 307;
    assert.equal(await result(), 'The receiver redirected (307); redirects are not followed.');
    receiver.answer.status = 200;
  });

  test('a rule keeps what a change leaves out, and refuses nonsense', async () => {
    const { owner, site, org } = await cloud.home();
    const path = `/sites/${site}/alert-rules`;
    const before = (await call('GET', path, { as: owner })).body;
    assert.deepEqual(before.near_fuse, { enabled: true, percent: 90 });
    await expectStatus(200, call('PUT', path, { as: owner, body: { near_fuse: { enabled: true, percent: 70 } } }));
    await expectStatus(200, call('PUT', path, { as: owner, body: { command_failed: { enabled: false } } }));
    assert.deepEqual((await call('GET', path, { as: owner })).body, {
      ...before,
      near_fuse: { enabled: true, percent: 70 },
      command_failed: { enabled: false },
    });
    assert.equal(
      (await call('PUT', path, { as: owner, body: { near_fuse: { enabled: true, percent: 0 } } })).status,
      400,
    );
    const viewer = await cloud.member(owner, org, 'viewer');
    assert.equal((await call('PUT', path, { as: viewer, body: { command_failed: { enabled: true } } })).status, 403);
  });
});

describe('addresses in private networks', async () => {
  const cloud = await openCloud();
  after(() => cloud.close());
  const { owner, site } = await cloud.home();
  const refusals = [
    'http://127.0.0.1/',
    'http://10.1.2.3:8080/x',
    'http://[::1]/',
    'http://[::ffff:192.168.1.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://2130706433/',
    'http://0x7f.1/',
    'https://localhost/',
    'https://printer.local/',
    'https://user:password@example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
  ];
  for (const url of refusals) {
    test(`${url} is refused for a webhook and for push`, async () => {
      const hook = await cloud.call('POST', `/sites/${site}/alert-hooks`, {
        as: owner,
        body: { kind: 'webhook', url },
      });
      assert.deepEqual([hook.status, hook.body.errors?.[0].path], [422, 'body.url']);
      const push = { ...createBrowser(url).subscription };
      const channel = await cloud.call('POST', '/alert-channels', { as: owner, body: { push, language: 'en' } });
      assert.deepEqual([channel.status, channel.body.errors?.[0].path], [422, 'body.push.endpoint']);
    });
  }

  test('a name that resolves to a private address is refused when a message is sent', async () => {
    const answers = [
      { address: '93.184.216.34', family: 4 },
      { address: '192.168.1.10', family: 4 },
    ];
    const lookup = mock.method(dns, 'lookup', (_: string, __: object, answer: (...found: unknown[]) => void) =>
      answer(null, answers),
    );
    syncBuiltinESMExports();
    try {
      const message = { url: 'http://rebound.example.org/', headers: {}, body: '{}', mayBePrivate: false };
      await assert.rejects(post(message), { name: 'DeliveryError', message: 'The address is in a private network.' });
      assert.equal(lookup.mock.callCount(), 1);
    } finally {
      lookup.mock.restore();
      syncBuiltinESMExports();
    }
  });

  test('e-mail is refused, naming the setting, if no mail server is configured', async () => {
    const body = { email: 'ada@example.test', language: 'en' };
    const { status, body: answer } = await cloud.call('POST', '/alert-channels', { as: owner, body });
    assert.equal(status, 422);
    assert.match(answer.detail, /SMTP_URL/);
  });
});
