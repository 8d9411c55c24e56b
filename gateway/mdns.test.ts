import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import Bonjour, { type Service } from 'bonjour-service';
import { createKeptLog } from '#test/gateway/open-local.ts';
import { multicastMissing } from '#test/multicast.ts';
import { until } from '#test/until.ts';
import { announce } from './mdns.ts';

suite('the announcement', async () => {
  const skip = await multicastMissing();

  test('is found until the gateway leaves', { skip, timeout: 20_000 }, async (t) => {
    const { log, lines } = createKeptLog();
    const serial = `ohm_x-${process.pid.toString(16)}`;
    const name = `zap-${serial}`;
    const looking = new Bonjour();
    t.after(() => looking.destroy());
    const browser = looking.find({ type: 'http' });
    const whenOurs = (event: 'up' | 'down') =>
      new Promise<Service>((resolve) =>
        browser.on(event, (service: Service) => {
          if (service.name === name) resolve(service);
        }),
      );
    const up = whenOurs('up');
    const down = whenOurs('down');

    const announcement = await announce({ serial, port: 8081, log });
    const { host, port, txt, fqdn } = await up;
    assert.deepEqual(
      { host, port, txt, fqdn },
      {
        host: `${name.replace('_', '-')}.local`,
        port: 8081,
        txt: { path: '/api', id: serial },
        fqdn: `${name}._http._tcp.local`,
      },
    );
    await announcement.close();
    await down;
    assert.ok(!lines.some((line) => line.includes('could not')));
  });

  test('that fails is logged and stops nothing', { timeout: 10_000 }, async (t) => {
    const { log, lines } = createKeptLog();
    const unsharing = createSocket({ type: 'udp4', reuseAddr: false });
    unsharing.bind(5353);
    try {
      await once(unsharing, 'listening');
    } catch (error) {
      unsharing.close();
      return t.skip(`the port of mDNS cannot be taken away on this machine: ${String(error)}`);
    }
    const announcement = await announce({ serial: 'ohm-1', name: 'zap-ohm-1', port: 8081, log });
    await until(() => lines.some((line) => line.includes('failed to announce the gateway')));
    await announcement.close();
    unsharing.close();
  });
});
