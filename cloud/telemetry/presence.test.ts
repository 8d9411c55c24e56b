import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import type { Store } from '../store/store.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { createLive } from './live.ts';
import { createPresence } from './presence.ts';

describe('presence', () => {
  let cloud: TestCloud;
  let ada: Person;
  let serial: string;
  let route: TelemetryRoute;
  let writes = 0;
  before(async () => {
    cloud = await openCloud();
    const { owner, gateway, device, site } = await cloud.home();
    ada = owner;
    ({ serial } = gateway);
    route = { device_id: device.id, site_id: site, gateway_serial: serial } as TelemetryRoute;
  });
  after(() => cloud.close());

  const open = () => {
    const store: Store = {
      ...cloud.store,
      write(work) {
        writes++;
        return cloud.store.write(work);
      },
    };
    const log = createLog({ level: 'silent', name: 'test' });
    const { stop, ...presence } = createPresence({ store, live: createLive(), clock: cloud.clock, log });
    return { ...presence, write: stop }; // the last thing it does is to write
  };
  const isOnline = async () => (await cloud.call('GET', `/gateways/${serial}`, { as: ada })).body.online;
  const isDeviceOnline = async () => (await cloud.call('GET', `/devices/${route.device_id}`, { as: ada })).body.online;
  const state = (isThere: boolean) => Buffer.from(JSON.stringify({ online: isThere }));

  test('a gateway that is silent for 50 seconds is offline within 5 more', async () => {
    const presence = open();
    presence.connection(serial, true);
    await presence.write();
    cloud.clock.advance(49_000);
    await presence.write();
    assert.equal(await isOnline(), true);
    cloud.clock.advance(6000);
    await presence.write();
    assert.equal(await isOnline(), false);
  });

  test('a gateway whose readings arrive is online, without any other message', async () => {
    const presence = open();
    for (let second = 0; second < 120; second++) {
      presence.heard(route);
      await presence.write();
      cloud.clock.advance(1000);
      assert.equal(await isOnline(), true, `after ${second} s`);
    }
    cloud.clock.advance(65_000);
    await presence.write();
    assert.equal(await isOnline(), false);
  });

  test('readings that arrive after their gateway disconnected do not mark it online', async () => {
    const presence = open();
    presence.connection(serial, true);
    await presence.write();
    presence.heard(route);
    presence.state(serial, state(false));
    presence.heard(route);
    await presence.write();
    assert.deepEqual([await isOnline(), await isDeviceOnline()], [false, false]);
    cloud.clock.advance(5000);
    presence.heard(route);
    await presence.write();
    assert.deepEqual([await isOnline(), await isDeviceOnline()], [false, false]);
    cloud.clock.advance(6000);
    presence.heard(route);
    await presence.write();
    assert.deepEqual([await isOnline(), await isDeviceOnline()], [true, true]);
  });

  test('readings mark a gateway online again, even if the clock was set back after it disconnected', async () => {
    const presence = open();
    presence.state(serial, state(false));
    await presence.write();
    cloud.clock.advance(-3_600_000);
    presence.heard(route);
    await presence.write();
    assert.equal(await isOnline(), true);
  });

  test('a device that sends once a minute is online until its gateway is offline', async () => {
    const presence = open();
    for (let second = 0; second < 180; second += 5) {
      if (second % 60 === 0) presence.heard(route);
      presence.state(serial, state(true));
      await presence.write();
      assert.equal(await isDeviceOnline(), true, `after ${second} s`);
      cloud.clock.advance(5000);
    }
    cloud.clock.advance(50_000);
    await presence.write();
    assert.deepEqual([await isOnline(), await isDeviceOnline()], [false, false]);
  });

  test('a device that is silent for 150 seconds is offline within 5 more, although its gateway is online', async () => {
    const presence = open();
    presence.heard(route);
    for (const [second, isThere] of [
      [0, true],
      [149, true],
      [155, false],
    ] as const) {
      presence.state(serial, state(true));
      await presence.write();
      assert.equal(await isDeviceOnline(), isThere, `after ${second} s`);
      cloud.clock.advance(second === 0 ? 149_000 : 6000);
    }
  });

  test('silence is checked every 5 seconds, even if the clock is set back; otherwise only changes are written', async () => {
    const presence = open();
    const after = async (ms: number): Promise<number> => {
      const before = writes;
      cloud.clock.advance(ms);
      await presence.write();
      return writes - before;
    };
    assert.equal(await after(0), 1);
    assert.equal(await after(4999), 0);
    presence.state(serial, Buffer.from('{}'));
    assert.equal(await after(0), 1);
    assert.equal(await after(1), 1);
    assert.equal(await after(-3_600_000), 1);
  });
});
