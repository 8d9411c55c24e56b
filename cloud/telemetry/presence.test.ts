import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import type { Store } from '../store/store.ts';
import { createLive } from './live.ts';
import { createPresence } from './presence.ts';

describe('who is there', () => {
  let cloud: TestCloud;
  let ada: Person;
  let serial: string;
  let writes = 0;
  before(async () => {
    cloud = await openCloud();
    ada = await cloud.person();
    ({ serial } = await cloud.claim(ada, await cloud.organization(ada)));
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

  test('a gateway that says nothing for 50 seconds is gone within 5 more', async () => {
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

  test('what is silent is looked for every 5 seconds, also when the clock is set back; else only news are written', async () => {
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
