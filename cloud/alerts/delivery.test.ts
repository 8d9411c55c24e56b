import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { createLog } from '#lib/log.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { expectStatus, type Person } from '#test/cloud/open-cloud.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import { until } from '#test/until.ts';
import type { BillCalculator } from '../bill/bill-calculator.ts';
import { createCommandTracking } from '../commands/tracking.ts';
import { findCommand, insertCommand } from '../store/commands.ts';
import type { CommandRow } from '../store/schema.ts';
import { createLive } from '../telemetry/live.ts';
import { onlyRules, openAlerting, setPresence } from './testing/alert-home.ts';
import { createBrowser, isSigned, openMailServer, openReceiver, vapidClaims } from './testing/receivers.ts';

const log = createLog({ level: 'silent', name: 'test' });
const gatewaySilent = { gateway_silent: { enabled: true, minutes: 2 } };

onEachEngine('alerts', async (cloud) => {
  const receiver = await openReceiver();
  const mailServer = await openMailServer();
  after(() => Promise.all([receiver.close(), mailServer.close()]));
  const env = { SMTP_URL: mailServer.url, SMTP_FROM: 'Ohmstead <alerts@home.test>' };
  const { clock, call } = cloud;
  beforeEach(() => {
    receiver.received.length = 0;
    mailServer.mails.length = 0;
    Object.assign(receiver.answer, { status: 200, headers: {}, isSilent: false });
    mailServer.state.isDown = false;
  });

  /** A home whose gateway is online, watched by a webhook. */
  async function home() {
    await cloud.store.write(({ db }) => db.deleteFrom('alert_sites').execute()); // those of other tests
    await cloud.store.write(({ db }) => db.deleteFrom('alert_deliveries').execute());
    const opened = await cloud.home({ place: { timezone: 'Europe/Stockholm' } });
    await setPresence(cloud, 'gateways', true);
    const { site, owner } = opened;
    await onlyRules(cloud, await fresh(owner), site, gatewaySilent);
    return { ...opened, alerting: openAlerting(cloud, { env }) };
  }

  async function withHook() {
    const opened = await home();
    const { site } = opened;
    const secret = 'the secret of the hook';
    const row = {
      id: `hok-${site}`,
      identity_id: null,
      site_id: site,
      kind: 'webhook' as const,
      name: 'Hook',
      target: `${receiver.url}/hook`,
      secret,
      language: 'en' as const,
      verified_at: clock.now(),
      code_hash: null,
      code_expires_at: 0,
      code_tries: 0,
      created_at: clock.now(),
      browser_id: null,
    };
    await cloud.store.write(({ db }) => db.insertInto('alert_channels').values(row).execute());
    return { ...opened, secret };
  }

  async function follow(as: Person, site: string, quiet_hours?: object): Promise<ReturnType<typeof createBrowser>> {
    const browser = createBrowser(`${receiver.url}/push-${as.id}`);
    const row = {
      id: `chn-${as.id}`,
      identity_id: as.id,
      site_id: null,
      kind: 'push' as const,
      name: '',
      target: browser.subscription.endpoint,
      secret: JSON.stringify(browser.subscription.keys),
      language: 'sv' as const,
      verified_at: clock.now(),
      code_hash: null,
      code_expires_at: 0,
      code_tries: 0,
      created_at: clock.now(),
      browser_id: null,
    };
    await cloud.store.write(({ db }) => db.insertInto('alert_channels').values(row).execute());
    const body = { follows: true, ...(quiet_hours && { quiet_hours }) };
    await expectStatus(200, call('PUT', `/sites/${site}/alert-following`, { as: await fresh(as), body }));
    return browser;
  }

  /** The same person with a token that is valid now. */
  const fresh = async (as: Person): Promise<Person> => ({ ...as, token: await cloud.signIn(as) });

  const history = async (as: Person, site: string, query = '') =>
    expectStatus(200, call('GET', `/sites/${site}/alerts${query}`, { as: await fresh(as) }));

  test('a silent gateway raises one alert within three minutes, and one all-clear', async () => {
    const { alerting, site, owner, secret } = await withHook();
    await setPresence(cloud, 'gateways', false);
    const silentAt = clock.now();
    while (receiver.received.length === 0) await alerting.pass(0.5);
    assert.ok(clock.now() - silentAt <= 3 * minuteMs);
    await alerting.pass(90);
    assert.equal(receiver.received.length, 1);
    assert.ok(isSigned(receiver.received[0]!, secret));
    const [told] = receiver.json();
    assert.deepEqual([told.state, told.rule, told.title], ['alert', 'gateway_silent', 'House: The gateway is silent']);
    assert.equal(told.url, `http://cloud.test/app/sites/${site}/alerts`);

    await setPresence(cloud, 'gateways', true);
    await alerting.pass(1);
    assert.deepEqual(
      receiver
        .json()
        .map(({ state, title }) => [state, title])
        .slice(1),
      [['clear', 'House: The gateway is back']],
    );
    const [entry] = await history(owner, site);
    assert.deepEqual(entry.deliveries, { waiting: 0, sent: 2, failed: 0, skipped: 0 });
    assert.notEqual(entry.ended_at, null);
    assert.equal((await history(owner, site, '?language=sv'))[0].title, 'Gatewayen är tyst');
  });

  test('a gateway that reconnects repeatedly raises at most one alert an hour', async () => {
    const { alerting } = await withHook();
    for (let round = 0; round < 12; round++) {
      await setPresence(cloud, 'gateways', false);
      await alerting.pass(5);
      await setPresence(cloud, 'gateways', true);
      await alerting.pass(5);
    }
    const alerts = receiver.json().filter(({ state }) => state === 'alert');
    assert.equal(alerts.length, 2); // two hours
    assert.equal(receiver.received.length, 4);
  });

  test('a browser receives it encrypted, in its language, signed by the platform', async () => {
    const { alerting, site, owner } = await home();
    const browser = await follow(owner, site);
    await setPresence(cloud, 'gateways', false);
    await alerting.pass(3);
    const [message] = receiver.received;
    assert.ok(message);
    const { push_public_key } = await expectStatus(200, call('GET', '/alert-options', { as: owner }));
    const claims = vapidClaims(message, push_public_key);
    assert.equal(claims?.aud, receiver.url);
    const { title, url, tag } = browser.decrypt(message);
    assert.deepEqual(
      [title, url, tag],
      ['House: Gatewayen är tyst', `/app/sites/${site}/alerts`, `${site}-gateway_silent`],
    );
    assert.equal(message.headers.urgency, 'high');
  });

  test('an ended push subscription is removed', async () => {
    const { alerting, site, owner } = await home();
    await follow(owner, site);
    receiver.answer.status = 410;
    await setPresence(cloud, 'gateways', false);
    await alerting.pass(10);
    assert.equal(receiver.received.length, 1);
    assert.deepEqual(await expectStatus(200, call('GET', '/alert-channels', { as: owner })), []);
    assert.equal((await history(owner, site))[0].deliveries.failed, 1);
  });

  test('two processes deliver each message once', async () => {
    const { alerting, site } = await withHook();
    const other = openAlerting(cloud, { env });
    await setPresence(cloud, 'gateways', false);
    for (let half = 0; half < 12; half++) {
      clock.advance(30_000);
      await Promise.all([alerting.watch.sweep(), other.watch.sweep()]);
      await Promise.all([alerting.deliver(), other.deliver()]);
    }
    assert.equal(receiver.received.length, 1);
    const { length } = await cloud.store.db.selectFrom('alerts').where('site_id', '=', site).selectAll().execute();
    assert.equal(length, 1);
  });

  test('a process that ends after storing an alert leaves it to the others, as does one that ends while sending', async () => {
    const { alerting } = await withHook();
    await setPresence(cloud, 'gateways', false);
    for (let half = 0; half < 6; half++) {
      clock.advance(30_000);
      await alerting.watch.sweep(); // and ends before it delivers
    }
    const killed = openAlerting(cloud, { env });
    receiver.answer.isSilent = true;
    await killed.outbox.deliverDue(); // claims it, and ends before it has an answer
    await until(() => receiver.received.length === 1);
    const next = openAlerting(cloud, { env });
    await next.deliver();
    assert.equal(receiver.received.length, 1, 'it is claimed');
    receiver.answer.isSilent = false;
    clock.advance(2 * minuteMs);
    await next.deliver();
    const deliveries = receiver.json().map(({ delivery }) => delivery);
    assert.deepEqual(deliveries, [deliveries[0], deliveries[0]]); // one id, by which a receiver ignores the repeat
    receiver.hangUp();
    await killed.outbox.settled();
  });

  test('a message that cannot be delivered is retried for a day, and then reported as failed', async () => {
    const { alerting, site, owner } = await withHook();
    receiver.answer.status = 500;
    await setPresence(cloud, 'gateways', false);
    await alerting.pass(3);
    const firstAt = clock.now();
    assert.equal((await history(owner, site))[0].deliveries.waiting, 1);
    while ((await history(owner, site))[0].deliveries.waiting === 1) {
      clock.advance(15 * minuteMs);
      await alerting.deliver();
    }
    assert.ok(clock.now() - firstAt > 22 * hourMs && clock.now() - firstAt <= 24.5 * hourMs);
    assert.ok(receiver.received.length > 10 && receiver.received.length < 40, `${receiver.received.length} attempts`);
    assert.equal((await history(owner, site))[0].deliveries.failed, 1);
  });

  test('a redirect is not followed', async () => {
    const { alerting, site, owner } = await withHook();
    Object.assign(receiver.answer, { status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    await setPresence(cloud, 'gateways', false);
    await alerting.pass(3);
    assert.deepEqual(
      receiver.received.map(({ path }) => path).filter((path) => path !== '/hook'),
      [],
    );
    assert.equal((await history(owner, site))[0].deliveries.waiting, 1);
  });

  test('nobody receives the alerts of a site without access to it, or without following it', async () => {
    const { alerting, site, owner, org } = await home();
    const guest = await cloud.member(owner, org, 'viewer');
    const other = await cloud.member(owner, org, 'viewer');
    await follow(guest, site);
    await follow(other, site);
    await setPresence(cloud, 'gateways', false);
    clock.advance(30_000);
    await alerting.watch.sweep();
    clock.advance(2 * minuteMs);
    await alerting.watch.sweep(); // stores messages to both
    assert.equal((await call('DELETE', `/organizations/${org}/members/${guest.id}`, { as: owner })).status, 204);
    await expectStatus(200, call('PUT', `/sites/${site}/alert-following`, { as: other, body: { follows: false } }));
    await alerting.deliver();
    assert.deepEqual(receiver.received, []);
    assert.equal((await history(owner, site))[0].deliveries.skipped, 2);
  });

  test('quiet hours hold alerts up until they end in the time zone of the site, and skip those that are over', async () => {
    const { alerting, site, owner } = await home();
    await onlyRules(cloud, await fresh(owner), site, { device_silent: { enabled: true, minutes: 5 } });
    await follow(owner, site, { from: '22:00', to: '07:00', except_urgent: true });
    clock.set(Date.parse('2026-10-24T21:00:00Z')); // 23:00 in Sweden, an hour before the night with 25 hours
    await setPresence(cloud, 'gateways', true);
    await setPresence(cloud, 'devices', false);
    await cloud.store.write(({ db }) => db.updateTable('devices').set({ state: 'active' }).execute());
    alerting.watch.forget();
    await alerting.pass(10);
    assert.equal((await history(owner, site))[0].deliveries.waiting, 1);
    clock.set(Date.parse('2026-10-25T05:59:00Z')); // 06:59 in Sweden
    await alerting.deliver();
    assert.equal(receiver.received.length, 0);
    clock.set(Date.parse('2026-10-25T06:01:00Z'));
    await alerting.deliver();
    assert.equal(receiver.received.length, 1);

    await setPresence(cloud, 'devices', true);
    await alerting.pass(1);
    clock.set(Date.parse('2026-10-25T22:00:00Z'));
    await setPresence(cloud, 'gateways', true);
    await setPresence(cloud, 'devices', false);
    receiver.received.length = 0;
    await alerting.pass(10);
    await setPresence(cloud, 'devices', true);
    await alerting.pass(1);
    clock.set(Date.parse('2026-10-26T08:00:00Z'));
    await alerting.deliver();
    assert.deepEqual(receiver.received, [], 'it was over by then');
    assert.equal((await history(owner, site))[0].deliveries.skipped, 1);
  });

  test('urgent alerts are sent in quiet hours if the person wants it', async () => {
    const { alerting, site, owner, org } = await home();
    clock.set(clock.now() - (clock.now() % dayMs) + 22 * hourMs); // midnight in a Swedish summer, 23:00 in winter
    const quiet = { from: '20:00', to: '08:00' };
    const woken = await cloud.member(await fresh(owner), org, 'viewer');
    const asleep = await cloud.member(await fresh(owner), org, 'viewer');
    await follow(woken, site, { ...quiet, except_urgent: true });
    await follow(asleep, site, { ...quiet, except_urgent: false });
    await setPresence(cloud, 'gateways', true);
    await setPresence(cloud, 'gateways', false);
    await alerting.pass(4);
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      [`/push-${woken.id}`],
    );
  });

  test('many devices and rules give one message for each rule', async () => {
    const { alerting, site, owner, gateway } = await withHook();
    for (let n = 0; n < 20; n++)
      await cloud.provision(owner, site, gateway.serial, { hardware_id: `MANY-${n}`, name: `Device ${n}` });
    await onlyRules(cloud, await fresh(owner), site, {
      ...gatewaySilent,
      device_silent: { enabled: true, minutes: 5 },
    });
    await cloud.store.write(({ db }) => db.updateTable('devices').set({ state: 'active' }).execute());
    await setPresence(cloud, 'gateways', true);
    await setPresence(cloud, 'devices', false);
    alerting.watch.forget();
    await alerting.pass(20);
    const [told, ...more] = receiver.json();
    assert.deepEqual(more, []);
    assert.match(told.title, /21 devices are silent/);
    assert.match(told.body, /and 18 more/);
    await setPresence(cloud, 'gateways', false);
    await alerting.pass(20);
    assert.deepEqual(
      receiver.json().map(({ rule, state }) => `${rule} ${state}`),
      ['device_silent alert', 'gateway_silent alert'],
    );
  });

  test('a failed command raises an alert with its reason, unless the rule is off', async () => {
    const { alerting, site, owner, org, gateway, device } = await withHook();
    const der = device.ders[0].id;
    const live = createLive();
    const tracking = createCommandTracking({
      ...cloud,
      log,
      live,
      transport: { canPublish: true, publish: () => false },
    });
    const fail = async (): Promise<void> => {
      const command: CommandRow = {
        id: newId('cmd', clock.now()),
        der_id: der,
        org_id: org,
        gateway_serial: gateway.serial,
        power_w: 1000,
        ttl_s: 60,
        status: 'queued',
        created_at: clock.now(),
        expires_at: clock.now() + minuteMs,
        history: '[]',
        created_by: null,
        created_by_name: null,
        order_id: null,
      };
      await cloud.store.write(({ db }) => insertCommand(db, command));
      tracking.send({ command, siteId: site, topic: 'control', payload: '' });
      await until(async () => (await findCommand(cloud.store.db, command.id))?.status === 'failed');
      await alerting.deliver();
    };
    await fail();
    assert.deepEqual(receiver.received, []);
    await onlyRules(cloud, await fresh(owner), site, { command_failed: { enabled: true } });
    await fail();
    await fail();
    assert.deepEqual(
      receiver.json().map(({ title, body }) => [title, body]),
      [[`House: A command to ${device.name} failed`, 'The broker could not be reached.']],
    );
  });

  test('a site that is deleted while its rules are checked does not keep later ones from being checked', async () => {
    const { owner, site: doomed } = await cloud.home({ place: { price_area: 'SE3' } });
    await withHook();
    const as = await fresh(owner);
    await onlyRules(cloud, as, doomed, { price_above: { enabled: true, price: -100 } });
    const known = knownCalculator({ spot: () => 100 });
    const calculator: BillCalculator = {
      ...known,
      async prices(query) {
        await cloud.store.write(({ db }) => db.deleteFrom('devices').where('site_id', '=', doomed).execute());
        await expectStatus(204, call('DELETE', `/sites/${doomed}`, { as }));
        return known.prices(query);
      },
    };
    const alerting = openAlerting(cloud, { env, calculator });
    await setPresence(cloud, 'gateways', false);
    clock.advance(3 * minuteMs);
    await alerting.watch.sweep().catch(() => {}); // reported in the log
    await alerting.deliver();
    assert.equal(receiver.json()[0]?.rule, 'gateway_silent');
  });

  test('old alerts are deleted', async () => {
    const { alerting, site, owner } = await withHook();
    await setPresence(cloud, 'gateways', false);
    await alerting.pass(3);
    assert.equal((await history(owner, site)).length, 1);
    clock.advance(91 * dayMs);
    await alerting.watch.clean();
    assert.deepEqual(await history(owner, site), []);
  });
});
