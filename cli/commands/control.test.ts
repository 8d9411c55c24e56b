import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createCommand } from '#contract/cloud/commands.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { createOrder, listHeldOrders } from '#contract/cloud/orders.ts';
import { hourMs } from '#contract/time.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import { formatLocalTime } from '../line/time.ts';
import { openMeteredHome } from '../testing/metered-home.ts';
import { openPlatform } from '../testing/people.ts';

const cheapFrom = Date.now() + 3 * hourMs;

suite('control', () => {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  let run: (...args: string[]) => Promise<{ code: number | null; out: string; err: string }>;
  let home: Awaited<ReturnType<typeof openMeteredHome>>;
  const ids: Record<string, string> = {};

  before(async () => {
    const platform = await openPlatform({}, knownCalculator({ spot: (ms) => (ms > cheapFrom ? 1 : 100) }));
    ends.push(() => platform.close());
    home = await openMeteredHome(platform);
    run = home.person.run;
    const { api, signer } = home;
    const [site] = await home.person.result<{ id: string }[]>('site', 'list');
    ids.site = site!.id;
    for (const name of ['Cellar', 'Attic', 'Garage']) {
      const ders = [{ name: 'battery', type: 'battery' }];
      const device = { gateway_serial: signer.serial, site_id: ids.site, device_type: 'inverter', name, ders };
      ids[name] = (await api.call(provisionDevice, { body: { ...device, hardware_id: name } })).ders[0]!.id;
    }
    const gateway = await connectGateway(platform.mqttUrl, signer, Date.now());
    ends.push(() => gateway.endAsync(true));
  });

  test('without commands, the list says that devices run automatically', async () => {
    assert.equal(
      (await run('control', 'list')).out,
      'No command is active at House. Devices run automatically or follow the plan.\n',
    );
  });

  test('a command and an order are listed with their DER, end and id', async () => {
    const { api } = home;
    await api.call(createCommand, { params: { der_id: ids.Cellar! }, body: { power_w: 2000, ttl_s: 600 } });
    await api.call(createOrder, { params: { der_id: ids.Attic! }, body: { power_w: -1500, for_s: 7200 } });
    const { out } = await run('control', 'list');
    assert.match(out, /^DER +COMMAND +STATUS +WHEN +BY +ID/);
    assert.match(out, /^Cellar\/battery +charge 2\.00 kW +held +until \d{4}-\d\d-\d\d \d\d:\d\d.* cmd-/m);
    assert.match(out, /^Attic\/battery +discharge 1\.50 kW +held +until .* ord-/m);
    const listed = await home.person.result<{ id: string; der: string }[]>('control', 'list');
    assert.deepEqual(
      listed.map(({ der }) => der),
      ['Cellar/battery', 'Attic/battery'],
    );
    ids.order = listed[1]!.id;
  });

  test('one is cancelled by its id or its DER, and nothing by a name that several have', async () => {
    assert.match(
      (await run('control', 'cancel', 'battery')).err,
      /^Several DERs are named "battery"; choose a command by its id:/,
    );
    assert.match(
      (await run('control', 'cancel', ids.order!)).out,
      /^Cancelled Attic\/battery: discharge 1\.50 kW until /,
    );
    assert.deepEqual(await home.api.call(listHeldOrders, { params: { site_id: ids.site! } }), []);
    assert.match(
      (await run('control', 'cancel', ids.order!)).err,
      /^No command of "ord-\S+" is active or scheduled at House/,
    );
    assert.match((await run('control', 'list')).out, /Cellar/);
  });

  test('an order that waits for its time is listed and cancelled', async () => {
    const wait = async () => {
      const body = { power_w: 1000, cheapest_s: 900 };
      assert.equal((await home.api.call(createOrder, { params: { der_id: ids.Garage! }, body })).status, 'waiting');
    };
    await wait();
    assert.match((await run('control', 'list')).out, /^Garage\/battery +charge 1\.00 kW +waiting +from .* until /m);
    const cancelled = /^Cancelled Garage\/battery: charge 1\.00 kW from .* until /;
    assert.match((await run('control', 'cancel', 'Garage/battery')).out, cancelled);
    await wait();
    const released = await run('command', 'Garage/battery', 'release');
    assert.match(released.out, /^Cancelled battery: charge 1\.00 kW, which had not begun\./);
    assert.doesNotMatch((await run('control', 'list')).out, /Garage/);
  });

  test('times are those of clocks at the site, wherever the command line runs', async () => {
    const zone = ['--timezone', 'Pacific/Kiritimati']; // UTC+14
    assert.equal((await run('site', 'set', ids.site!, ...zone)).code, 0);
    const when = (out: string) => / from (\S+ \S+) until (\S+ \S+?)[. ]/.exec(out)?.slice(1);
    const waiting = await run('command', 'Garage/battery', 'charge', '1kW', '--cheapest', '15m');
    const [order] = await home.api.call(listHeldOrders, { params: { site_id: ids.site! } });
    const local = (time: string) => formatLocalTime('Pacific/Kiritimati', Date.parse(time));
    assert.deepEqual(when(waiting.out), [order!.starts_at, order!.ends_at].map(local));
    assert.deepEqual(when((await run('control', 'list')).out), when(waiting.out));
    assert.deepEqual(when((await run('control', 'cancel', 'Garage/battery')).out), when(waiting.out));
  });
});
