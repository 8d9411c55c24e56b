import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commandFilters } from '#contract/topics.ts';
import { readEvents } from '#test/cloud/event-reader.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import type { GatewaySigner } from '#test/cloud/people.ts';
import { until } from '#test/until.ts';

type Device = { id: string; ders: { id: string; name: string }[] };

for (const { engine, skip } of engines) {
  describe(`telemetry on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let base: string;
    let ada: Person;
    let org: string;
    let site: string;
    let gateway: GatewaySigner;
    let device: Device;
    let client: GatewayClient;
    before(async () => {
      cloud = await openCloud({ engine });
      base = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
      await cloud.start();
      const place = { latitude: 59.33, longitude: 18.07 };
      ({ owner: ada, org, site, gateway, device } = await cloud.home({ place }));
      client = await connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
    });
    after(async () => {
      await client.endAsync(true);
      await cloud.close();
    });

    const bearer = () => ({ authorization: `Bearer ${ada.token}` });
    const derId = (name: string) => device.ders.find((der) => der.name === name)!.id;
    const tick = (): number => {
      cloud.clock.advance(1000);
      return cloud.clock.now();
    };

    test('a reading is acknowledged, stored, and found as the latest and in the history', async () => {
      const timestamp = tick();
      await client.report('INV-1', 'pv', { type: 'pv', timestamp, W: -2500, total_generation_Wh: 1000, make: 'Sun' });
      const { body } = await cloud.call('GET', `/ders/${derId('pv')}`, { as: ada });
      assert.deepEqual(body.latest, { type: 'pv', timestamp, W: -2500, total_generation_Wh: 1000, make: 'Sun' });
      const from = timestamp - 1;
      const history = await cloud.call(
        'GET',
        `/ders/${derId('pv')}/telemetry?from=${from}&resolution=raw&to=${timestamp + 1}`,
        { as: ada },
      );
      assert.deepEqual(history.body.points, [{ timestamp, W: -2500, total_generation_Wh: 1000 }]);
      assert.equal(history.body.resolution, 'raw');
    });

    test('the finest history of a site is by the minute, and its answer says so', async () => {
      const { status, body } = await cloud.call('GET', `/sites/${site}/telemetry?resolution=raw&fields=W`, { as: ada });
      assert.deepEqual([status, body.resolution], [200, '1m']);
      const [{ kind, points }] = body.series;
      assert.deepEqual([kind, Object.keys(points[0])], ['pv', ['timestamp', 'W', 'W_min', 'W_max']]);
    });

    test('a DER is found by its type where no name fits', async () => {
      const timestamp = tick();
      await client.report('INV-1', 'solar', { timestamp, W: -7 });
      const { body } = await cloud.call('GET', `/ders/${derId('pv')}`, { as: ada });
      assert.equal(body.latest.W, -7);
    });

    test('a device is active and online as soon as its first reading is acknowledged', async () => {
      const fresh = await cloud.provision(ada, site, gateway.serial, { hardware_id: 'INV-9' });
      const stateOf = async () => (await cloud.call('GET', `/devices/${fresh.id}`, { as: ada })).body;
      assert.deepEqual([(await stateOf()).state, (await stateOf()).online], ['pending', false]);
      await client.report('INV-9', 'battery', { timestamp: tick(), W: 100, SoC_nom_fract: 0.5 });
      assert.deepEqual([(await stateOf()).state, (await stateOf()).online], ['active', true]);
      await until(async () => (await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada })).body.online);
      assert.equal((await cloud.call('DELETE', `/devices/${fresh.id}`, { as: ada })).status, 204);
      await client.report('INV-1', 'battery', { timestamp: tick(), W: 100, SoC_nom_fract: 0.5 });
    });

    test('samples with a seq are acknowledged in ranges, stored or dropped for good', async () => {
      const acks: number[][] = [];
      client.on('message', (topic, payload) => {
        if (topic.endsWith('/telemetry/ack')) acks.push(...JSON.parse(payload.toString()).acked);
      });
      await client.subscribeAsync(`gateways/${gateway.serial}/telemetry/ack`);
      const timestamp = tick();
      await client.report('INV-1', 'pv', { timestamp, W: -1, seq: 7 });
      await client.report('INV-1', 'pv', { timestamp, W: -1, seq: 8 });
      await client.report('INV-1', 'nothing', { timestamp, W: -1, seq: 9 });
      await client.report('INV-1', 'pv', { timestamp, W: 1e12, seq: 10 });
      await until(async () => acks.length >= 4);
      assert.deepEqual(acks.flatMap(([first, last]) => range(first!, last!)).sort(byNumber), [7, 8, 9, 10]);
      const { body } = await cloud.call('GET', '/metrics');
      assert.match(body, /telemetry_dropped_total\{reason="not_provisioned"\} [1-9]/);
      assert.match(body, /telemetry_dropped_total\{reason="out_of_range"\} [1-9]/);
      const { body: seen } = await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada });
      assert.deepEqual(seen.dropped, { not_provisioned: 1, out_of_range: 1 });
    });

    test('a viewer sees the latest reading of every DER, then new ones', async () => {
      const headers = { authorization: `bearer  ${ada.token}`, 'last-event-id': '' }; // as some programs write them
      const stream = await readEvents(`${base}/stream/sites/${site}`, headers);
      assert.equal(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      const first = await stream.readings(2);
      assert.deepEqual(first.map(({ data }) => String(data.der_name)).sort(), ['battery', 'pv']);
      const timestamp = tick();
      await client.report('INV-1', 'pv', { timestamp, W: -42, seq: 20 });
      const [, , live] = await stream.readings(3);
      assert.deepEqual(live!.data, {
        type: 'pv',
        timestamp,
        W: -42,
        site_id: site,
        device_id: device.id,
        der_id: derId('pv'),
        der_name: 'pv',
        der_type: 'solar',
      });
      assert.equal(live!.event, 'message');
      await stream.close();
    });

    test('a value that a gateway could not measure is left out, whatever it sends instead', async () => {
      const stream = await readEvents(`${base}/stream/sites/${site}`, bearer());
      await stream.readings(2);
      const timestamp = tick();
      await client.report('INV-1', 'pv', { timestamp, W: null, V: '230', Hz: true, A: 1.5, make: 'Sun', own: null });
      const [, , live] = await stream.readings(3);
      assert.deepEqual([live!.data.A, live!.data.make], [1.5, 'Sun']);
      for (const name of ['W', 'V', 'Hz', 'own']) assert.ok(!(name in live!.data), name);
      await stream.close();
      const { body } = await cloud.call('GET', `/ders/${derId('pv')}`, { as: ada });
      assert.deepEqual(body.latest, { A: 1.5, make: 'Sun', timestamp });
    });

    test('a viewer that reconnects with its last id gets the missed events once', async () => {
      const stream = await readEvents(`${base}/stream/sites/${site}`, bearer());
      await stream.readings(2);
      await client.report('INV-1', 'pv', { timestamp: tick(), W: -1 });
      const [, , last] = await stream.readings(3);
      await stream.close();
      for (const W of [-2, -3, -4]) await client.report('INV-1', 'pv', { timestamp: tick(), W });
      const back = await readEvents(`${base}/stream/sites/${site}`, { ...bearer(), 'last-event-id': last!.id! });
      await client.report('INV-1', 'pv', { timestamp: tick(), W: -5 });
      const missed = await back.readings(4);
      assert.deepEqual(
        missed.map(({ data }) => data.W),
        [-2, -3, -4, -5],
      );
      await back.close();
      const stillToCome = String((cloud.clock.now() + 600_000) * 1000); // of a clock that was set back since
      for (const id of ['nonsense', stillToCome]) {
        const lost = await readEvents(`${base}/stream/sites/${site}`, { ...bearer(), 'last-event-id': id });
        assert.equal((await lost.take(1))[0]!.event, 'gap', id);
        await lost.close();
      }
    });

    test('a ticket opens one stream, once', async () => {
      const { body } = await cloud.call('POST', '/stream/tickets', { as: ada, body: { site_id: site } });
      const url = `${base}/stream/sites/${site}?ticket=${body.ticket}`;
      const stream = await readEvents(url, {});
      assert.equal(stream.response.status, 200);
      await stream.readings(2);
      await stream.close();
      assert.equal((await fetch(url)).status, 401);
      const other = (await cloud.call('POST', '/stream/tickets', { as: ada, body: { site_id: site } })).body;
      cloud.clock.advance(30_001);
      assert.equal((await fetch(`${base}/stream/sites/${site}?ticket=${other.ticket}`)).status, 401);
    });

    test('a stream ends when the token is revoked, and when the member is removed', async () => {
      const viewer = await cloud.member(ada, org, 'viewer');
      const headers = { authorization: `Bearer ${viewer.token}` };
      const removed = await readEvents(`${base}/stream/sites/${site}`, headers);
      await removed.readings(2);
      await cloud.call('DELETE', `/organizations/${org}/members/${viewer.id}`, { as: ada });
      await removed.ended();
      assert.equal(removed.events.at(-1)!.event, 'end');
      const guest = await cloud.member(ada, org, 'viewer');
      const revoked = await readEvents(`${base}/stream/sites/${site}`, { authorization: `Bearer ${guest.token}` });
      await revoked.readings(2);
      await cloud.call('POST', '/auth/revoke', { as: guest });
      await revoked.ended();
      assert.ok(revoked.isEnded());
    });

    test('late data is stored in the history and does not replace the latest reading', async () => {
      const now = tick();
      await client.report('INV-1', 'battery', { timestamp: now, W: 500, SoC_nom_fract: 0.6 });
      await client.report('INV-1', 'battery', { timestamp: now - 600_000, W: 100, SoC_nom_fract: 0.4 });
      const { body } = await cloud.call('GET', `/ders/${derId('battery')}`, { as: ada });
      assert.equal(body.latest.W, 500);
      const raw = await cloud.call(
        'GET',
        `/ders/${derId('battery')}/telemetry?from=${now - 700_000}&to=${now + 1}&resolution=raw`,
        { as: ada },
      );
      assert.ok(raw.body.points.some((point: { W: number }) => point.W === 100));
    });

    test('a reading with an implausible timestamp gets the time of its receipt', async () => {
      const now = tick();
      await client.report('INV-1', 'pv', { timestamp: Date.UTC(1970, 0, 2), W: -77 });
      const { body } = await cloud.call('GET', `/ders/${derId('pv')}`, { as: ada });
      assert.equal(body.latest.W, -77);
      assert.equal(body.latest.timestamp, now);
    });

    test('the cell adds up what its DERs do now', async () => {
      tick();
      await client.report('INV-1', 'pv', { timestamp: tick(), W: -3000, Hz: 50 });
      await client.report('INV-1', 'battery', { timestamp: cloud.clock.now(), W: 1200, SoC_nom_fract: 0.55 });
      const [{ h3_index }] = (await cloud.call('GET', '/public/cells')).body.cells;
      const { body } = await cloud.call('GET', `/public/cells/${h3_index}/stats`);
      assert.deepEqual(body, {
        h3_index,
        site_count: 1,
        der_count: 2,
        total_power_w: 4200,
        avg_frequency_hz: 50,
        der_summary: {
          battery: { count: 1, total_power_w: 1200, total_export_w: 0, total_import_w: 1200, avg_soc_pct: 55 },
          solar: { count: 1, total_power_w: 3000, total_export_w: 3000, total_import_w: 0, avg_soc_pct: null },
        },
      });
      const upperCase = await cloud.call('GET', `/public/cells/${h3_index.toUpperCase()}/stats`);
      assert.deepEqual(upperCase.body, body);
      cloud.clock.advance(16 * 60_000);
      const later = await cloud.call('GET', `/public/cells/${h3_index}/stats`);
      assert.equal(later.body.total_power_w, 0);
      assert.equal(later.body.avg_frequency_hz, null);
      assert.equal((await cloud.call('GET', '/public/cells/861f1d48fffffff/stats')).status, 404);
      assert.equal((await cloud.call('GET', '/public/cells/nonsense/stats')).status, 404);
    });

    test('the sums of a cell are not affected by other changes, and follow sites that move and devices that are deleted', async () => {
      const powerAt = async (): Promise<number[]> => {
        const { cells } = (await cloud.call('GET', '/public/cells')).body;
        const stats = cells.map(({ h3_index }: { h3_index: string }) =>
          cloud.call('GET', `/public/cells/${h3_index}/stats`),
        );
        return (await Promise.all(stats)).map(({ body }) => body.total_power_w);
      };
      const other = await cloud.provision(ada, site, gateway.serial, { hardware_id: 'INV-9' });
      await client.report('INV-1', 'pv', { timestamp: tick(), W: -3000 });
      await client.report('INV-9', 'pv', { timestamp: cloud.clock.now(), W: -500 });
      assert.deepEqual(await powerAt(), [3500]);
      await cloud.call('PUT', `/sites/${site}`, { as: ada, body: { name: 'Home' } });
      assert.deepEqual(await powerAt(), [3500], 'renamed');
      await cloud.call('PUT', `/sites/${site}`, { as: ada, body: { latitude: 57.71, longitude: 11.97 } });
      assert.deepEqual(await powerAt(), [3500], 'moved');
      await cloud.call('DELETE', `/devices/${other.id}`, { as: ada });
      assert.deepEqual(await powerAt(), [3000], 'one device deleted');
      await cloud.call('PUT', `/sites/${site}`, { as: ada, body: { latitude: 59.33, longitude: 18.07 } });
      assert.deepEqual(await powerAt(), [3000], 'moved back');
    });

    test('a command reaches the gateway and is tracked to its end', async () => {
      const commands: { topic: string; payload: Record<string, unknown> }[] = [];
      client.on('message', (topic, payload) => {
        if (topic.startsWith('control/')) commands.push({ topic, payload: JSON.parse(payload.toString()) });
      });
      await client.subscribeAsync(commandFilters(gateway.serial));
      const stream = await readEvents(`${base}/stream/sites/${site}`, bearer());
      await stream.readings(2);
      const posted = await cloud.call('POST', `/ders/${derId('battery')}/commands`, {
        as: ada,
        body: { power_w: -2000, ttl_s: 60 },
      });
      assert.equal(posted.status, 202);
      assert.equal(posted.body.status, 'queued');
      await until(async () => commands.length === 1);
      assert.equal(commands[0]!.topic, `control/${gateway.serial}/battery/INV-1/ems/commands`);
      assert.equal(commands[0]!.payload.power_w, -2000);
      const ack = (status: string) =>
        client.publishAsync(
          `control/${gateway.serial}/battery/INV-1/ems/acks`,
          JSON.stringify({ command_id: posted.body.id, status }),
          { qos: 1 },
        );
      const status = async () =>
        (await cloud.call('GET', `/ders/${derId('battery')}/commands`, { as: ada })).body[0].status;
      await until(async () => (await status()) === 'sent');
      await ack('applied');
      assert.equal(await status(), 'applied');
      await ack('expired');
      await ack('released');
      assert.equal(await status(), 'released');
      await ack('applied');
      assert.equal(await status(), 'released');
      const told = stream.events.filter(({ event }) => event === 'command').map(({ data }) => data.status);
      assert.deepEqual(told, ['queued', 'sent', 'applied', 'expired', 'released']);
      await stream.close();
    });

    test('an unanswered command expires', async () => {
      const { body } = await cloud.call('POST', `/ders/${derId('pv')}/commands`, {
        as: ada,
        body: { power_w: 1000, ttl_s: 5 },
      });
      cloud.clock.advance(5001);
      const status = async () =>
        (await cloud.call('GET', `/ders/${derId('pv')}/commands`, { as: ada })).body.find(
          ({ id }: { id: string }) => id === body.id,
        ).status;
      await until(async () => (await status()) === 'expired');
      const negative = await cloud.call('POST', `/ders/${derId('pv')}/commands`, { as: ada, body: { power_w: -1 } });
      assert.equal(negative.status, 422);
    });

    test('the log of a gateway is followed by its members', async () => {
      const response = await readRaw(`${base}/gateways/${gateway.serial}/logs`, bearer());
      await client.publishAsync(`gateways/${gateway.serial}/logs/raw`, 'I (42) booted', { qos: 1 });
      await until(async () => response.text().includes('data: I (42) booted'));
      await response.close();
    });

    test('the announcement of its own claim, which may arrive later, does not disconnect a gateway', async () => {
      const claimed = await cloud.claim(ada, org);
      const wire = await connectGateway(cloud.transport.urls.mqtt!, claimed, cloud.clock.now());
      await cloud.store.write(({ announce }) => announce({ what: 'claim', serial: claimed.serial }));
      await wire.publishAsync(`gateways/${claimed.serial}/logs/raw`, 'still here', { qos: 1 });
      assert.ok(wire.connected);
      await wire.endAsync(true);
    });

    test('a transferred gateway is disconnected, and its old organization receives nothing more', async () => {
      const moved = await cloud.claim(ada, org);
      const { ders } = await cloud.provision(ada, site, moved.serial, { hardware_id: 'X2' });
      const wire = await connectGateway(cloud.transport.urls.mqtt!, moved, cloud.clock.now());
      await wire.report('X2', 'pv', { timestamp: tick(), W: -1 });
      const closed = new Promise<void>((resolve) => wire.once('close', () => resolve()));
      const bob = await cloud.person();
      await cloud.claim(bob, await cloud.organization(bob), moved);
      await closed;
      const again = await connectGateway(cloud.transport.urls.mqtt!, moved, cloud.clock.now());
      await again.report('X2', 'pv', { timestamp: tick(), W: -2 });
      await again.endAsync(true);
      const { body } = await cloud.call('GET', `/ders/${ders[0].id}`, { as: ada });
      assert.equal(body.latest.W, -1);
    });

    test('a released gateway is disconnected, and its telemetry is dropped', async () => {
      const other = await cloud.claim(ada, org);
      const { device_id } = await cloud.provision(ada, site, other.serial, { hardware_id: 'X1' });
      const stream = await readEvents(`${base}/stream/sites/${site}`, bearer());
      const wire = await connectGateway(cloud.transport.urls.mqtt!, other, cloud.clock.now());
      await wire.report('X1', 'pv', { timestamp: tick(), W: -1 });
      const closed = new Promise<void>((resolve) => wire.once('close', () => resolve()));
      await cloud.call('DELETE', `/gateways/${other.serial}`, { as: ada });
      await closed;
      const isTold = () => stream.events.some(({ data }) => data.device_id === device_id && data.state === 'orphaned');
      await until(isTold);
      await stream.close();
      await assert.rejects(connectGateway(cloud.transport.urls.mqtt!, other, cloud.clock.now()));
    });
  });
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const byNumber = (a: number, b: number): number => a - b;

async function readRaw(url: string, headers: Record<string, string>) {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  return {
    text: () => text,
    async close() {
      abort.abort();
      await reading;
    },
  };
}
