import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { fakeCommands } from '#test/gateway/fake-commands.ts';
import { openNetwork } from '#test/gateway/open-network.ts';
import { until } from '#test/until.ts';
import { rowsOf } from './network-manager.ts';

async function openWithWifi(t: TestContext) {
  const machine = await fakeCommands(t);
  return { ...openNetwork(t, machine.path), machine };
}

const earlier = { headers: { 'x-api-form': 'earlier' } };
const seen = [
  { ssid: 'Café:5G\\', rssi: -55, auth: 'WPA1 WPA2' },
  { ssid: 'Home', rssi: -64, auth: 'WPA2' },
  { ssid: 'Guests', rssi: -85, auth: 'open' },
];

suite('the network', () => {
  test('by Wi-Fi has name and signal', async (t) => {
    const { call } = await openWithWifi(t);
    const { status, body } = await call('GET /api/network');
    assert.equal(status, 200);
    const { localIP, ...rest } = body;
    assert.ok(localIP === undefined || /^[\d.]+$|:/.test(localIP));
    assert.deepEqual(rest, {
      wifiStatus: 'connected',
      wifiConnected: true,
      ssid: 'Home',
      rssi: -64,
      internetConnected: true,
      mqttConnected: true,
    });
    assert.ok(!('mqttConnected' in (await call('GET /api/network', earlier)).body));
  });

  test('is queried once for concurrent requests', async (t) => {
    const { call, machine, clock } = await openWithWifi(t);
    await Promise.all(Array.from({ length: 20 }, () => call('GET /api/network')));
    assert.equal(machine.calls().length, 2);
    clock.advance(2000);
    await call('GET /api/network');
    assert.equal(machine.calls().length, 4);
  });

  for (const { devices, radio = 'enabled', status } of [
    { devices: 'wifi:connected (externally):wlan0', status: 'connected' },
    { devices: 'wifi:disconnected:wlan0\nwifi:connected:wlan1', status: 'connected' },
    { devices: 'wifi:connecting (need authentication):wlan0', status: 'connecting' },
    { devices: 'wifi:disconnected:wlan0', status: 'disconnected' },
    { devices: 'wifi:deactivating:wlan0', status: 'disconnected' },
    { devices: 'wifi:unavailable:wlan0', radio: 'disabled', status: 'disabled' },
    { devices: 'wifi:unavailable:wlan0', status: 'unavailable' },
    { devices: 'wifi:unmanaged:wlan0', status: 'unavailable' },
    { devices: 'ethernet:connected:eth0', status: 'unavailable' },
    { devices: '', status: 'unavailable' },
  ]) {
    test(`with ${devices || 'nothing'} and the radio ${radio} is ${status}`, async (t) => {
      const { call, machine } = await openWithWifi(t);
      await machine.write('devices', devices);
      await machine.write('radio', `${radio}\n`);
      const { body } = await call('GET /api/network');
      assert.equal(body.wifiStatus, status);
      assert.equal(body.wifiConnected, status === 'connected');
      assert.equal('ssid' in body, status === 'connected');
    });
  }
});

suite('the list of Wi-Fi networks', () => {
  test('has names in the later form, and more in the earlier one', async (t) => {
    const { call } = await openWithWifi(t);
    assert.deepEqual((await call('GET /api/wifi')).body, { ssids: seen.map(({ ssid }) => ssid), connected: 'Home' });
    assert.deepEqual((await call('GET /api/wifi', earlier)).body, { ssids: seen, connected: 'Home' });
  });

  test('shows when none is in use', async (t) => {
    const { call, machine } = await openWithWifi(t);
    await machine.write('devices', 'wifi:disconnected:wlan0\n');
    assert.equal((await call('GET /api/wifi')).body.connected, null);
  });

  test('is renewed by a scan, at most every 10 s', async (t) => {
    const { call, machine, clock } = await openWithWifi(t);
    const scans = () => machine.calls().filter((line) => line.includes('rescan ifname wlan0')).length;
    for (let i = 0; i < 5; i++) {
      const { status, body } = await call('GET /api/wifi/scan');
      assert.equal(status, 200);
      assert.equal(body.status, 'sucess');
    }
    assert.equal(scans(), 1);
    clock.advance(10_000);
    await call('GET /api/wifi/scan');
    assert.equal(scans(), 2);
  });

  test('may have been renewed by the system just before', async (t) => {
    const { call, machine, clock } = await openWithWifi(t);
    await machine.write('rescan-error', 'Error: Scanning not allowed immediately following previous scan.');
    assert.equal((await call('GET /api/wifi/scan')).status, 200);
    clock.advance(10_000);
    await machine.write('rescan-error', 'Error: Device is gone.');
    assert.equal((await call('GET /api/wifi/scan')).status, 503);
  });

  for (const [line, fields] of [
    ['a:b:c', ['a', 'b', 'c']],
    ['', undefined],
    ['::', ['', '', '']],
    ['a\\:b:c\\\\', ['a:b', 'c\\']],
    ['a\\\\:b', ['a\\', 'b']],
  ] as const) {
    test(`reads ${JSON.stringify(line)}`, () => assert.deepEqual(rowsOf(`${line}\n`)[0], fields));
  }
});

suite('joining a Wi-Fi network', () => {
  test('passes the password on without exposing it', async (t) => {
    const { call, machine, lines } = await openWithWifi(t);
    const { status, body } = await call('POST /api/wifi', { body: { ssid: '-Home $(id)', psk: 'right password' } });
    assert.equal(status, 200);
    assert.equal(body.status, 'success');
    const calls = machine.calls();
    const joining = 'nmcli --ask --wait 30 device wifi connect -Home $(id) ifname wlan0 name -Home $(id) ';
    assert.ok(calls.some((line) => line.startsWith(joining)));
    assert.doesNotMatch([...calls, ...lines].join(), /right password/);
  });

  test('needs no password for an open network', async (t) => {
    const { call, machine } = await openWithWifi(t);
    assert.equal((await call('POST /api/wifi', { body: { ssid: 'Guests', psk: '' } })).status, 200);
    assert.ok(machine.calls().includes('nmcli --wait 30 device wifi connect Guests ifname wlan0'));
  });

  test('that fails leaves no profile and exposes no password', async (t) => {
    const { call, machine, lines } = await openWithWifi(t);
    const { status, body } = await call('POST /api/wifi', { body: { ssid: 'Home', psk: 'psk-canary' } });
    assert.equal(status, 500);
    assert.equal(body.error, 'device_failed');
    assert.deepEqual(machine.profiles(), ['home', 'wired', 'old']);
    const logged = lines.join('');
    assert.match(logged, /\*\*\* is wrong/);
    assert.doesNotMatch(logged + JSON.stringify(body), /psk-canary/);
  });

  test('with a wrong password keeps the known one', async (t) => {
    const { call, machine } = await openWithWifi(t);
    await call('POST /api/wifi', { body: { ssid: 'Home', psk: 'mistyped password' } });
    assert.deepEqual([machine.profiles(), machine.passwordOf('home')], [['home', 'wired', 'old'], 'right password']);
  });

  test('that is known, with a new password, replaces the old profile only', async (t) => {
    const { call, machine } = await openWithWifi(t);
    assert.equal((await call('POST /api/wifi', { body: { ssid: 'Home', psk: 'right password' } })).status, 200);
    assert.deepEqual(machine.profiles(), ['wired', 'old', 'added']);
  });

  test('that is known needs no password, and stays known', async (t) => {
    const { call, machine } = await openWithWifi(t);
    assert.equal((await call('POST /api/wifi', { body: { ssid: 'Home', psk: '' } })).status, 200);
    assert.ok(machine.profiles().includes('home'));
  });

  test('cancels a pending leave', async (t) => {
    const { call, machine, clock } = await openWithWifi(t);
    await machine.write('hold', 'yes');
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await call('DELETE /api/wifi');
    const joining = call('POST /api/wifi', { body: { ssid: 'Guests', psk: 'right password' } });
    await until(() => machine.calls().some((line) => line.includes('wifi connect')));
    t.mock.timers.tick(5000);
    for (let round = 0; round < 3; round++) {
      clock.advance(2000);
      await call('GET /api/network');
    }
    await machine.write('hold', '');
    assert.equal((await joining).status, 200);
    assert.ok(!machine.calls().some((line) => line.includes('disconnect')));
  });

  test('is not left meanwhile', async (t) => {
    const { call, machine } = await openWithWifi(t);
    await machine.write('hold', 'yes');
    const joining = call('POST /api/wifi', { body: { ssid: 'Home', psk: 'right password' } });
    await until(() => machine.calls().some((line) => line.includes('wifi connect')));
    assert.equal((await call('DELETE /api/wifi')).status, 503);
    await machine.write('hold', '');
    assert.equal((await joining).status, 200);
  });

  test('happens one at a time', async (t) => {
    const { call } = await openWithWifi(t);
    const join = () => call('POST /api/wifi', { body: { ssid: 'Home', psk: 'right password' } });
    await call('GET /api/network');
    const statuses = (await Promise.all([join(), join()])).map(({ status }) => status);
    assert.deepEqual(
      statuses.sort((a, b) => a - b),
      [200, 503],
    );
    assert.equal((await join()).status, 200);
  });

  for (const body of [
    {},
    { ssid: 'Home' },
    { psk: 'x' },
    { ssid: '', psk: '' },
    { ssid: 'a\nb', psk: '' },
    { ssid: 'x'.repeat(33), psk: '' },
  ]) {
    test(`is refused with ${JSON.stringify(body)}`, async (t) => {
      const { call, machine } = await openWithWifi(t);
      assert.equal((await call('POST /api/wifi', { body })).status, 400);
      assert.deepEqual(machine.calls(), []);
    });
  }
});

suite('leaving the Wi-Fi network', () => {
  test('happens after 5 s and deletes the profile in use', async (t) => {
    const { call, machine, lines } = await openWithWifi(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await call('GET /api/network');
    assert.equal((await call('DELETE /api/wifi')).status, 200);
    t.mock.timers.tick(4999);
    assert.ok(!machine.calls().some((line) => line.includes('disconnect')));
    t.mock.timers.tick(1);
    t.mock.timers.reset();
    await until(() => lines.some((line) => line.includes('Wi-Fi left')));
    assert.ok(machine.calls().includes('nmcli device disconnect wlan0'));
    assert.deepEqual(machine.profiles(), ['wired', 'old']);
  });

  test('also happens when the gateway stops earlier', async (t) => {
    const { call, machine, wifi } = await openWithWifi(t);
    assert.equal((await call('DELETE /api/wifi')).status, 200);
    await wifi.close();
    assert.ok(machine.calls().includes('nmcli device disconnect wlan0'));
    assert.deepEqual(machine.profiles(), ['wired', 'old']);
  });

  test('keeps the network of a second adapter', async (t) => {
    const { call, machine, lines } = await openWithWifi(t);
    await machine.write('profiles', 'home:802-11-wireless:wlan0:Home:\nother:802-11-wireless:wlan1:Shed:\n');
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await call('GET /api/network');
    await call('DELETE /api/wifi');
    t.mock.timers.tick(5000);
    t.mock.timers.reset();
    await until(() => lines.some((line) => line.includes('Wi-Fi left')));
    assert.deepEqual(machine.profiles(), ['other']);
  });

  test('for good deletes all Wi-Fi profiles, and no others', async (t) => {
    const { wifi, machine } = await openWithWifi(t);
    await wifi.forgetAll();
    assert.deepEqual(machine.profiles(), ['wired']);
  });

  for (const { says, error, fails } of [
    { says: 'fails where the system does not allow it', error: 'Error: not authorized.', fails: true },
    { says: 'does nothing without NetworkManager', error: 'Error: NetworkManager is not running.', fails: false },
  ]) {
    test(`for good ${says}`, async (t) => {
      const { wifi, machine } = await openWithWifi(t);
      await machine.write('delete-error', error);
      const forgetting = wifi.forgetAll();
      await (fails ? assert.rejects(forgetting, /nmcli failed/) : forgetting);
    });
  }
});

suite('a machine without Wi-Fi and Bluetooth', () => {
  const nothing = '/nowhere/to/be/found';

  test('says so', async (t) => {
    const { call, wifi } = openNetwork(t, nothing, { mqttConnected: () => false });
    const { body } = await call('GET /api/network', earlier);
    assert.equal(body.wifiStatus, 'unavailable');
    assert.equal(body.wifiConnected, false);
    assert.deepEqual((await call('GET /api/wifi')).body, { ssids: [], connected: null });
    const scan = await call('GET /api/wifi/scan');
    assert.deepEqual([scan.status, scan.body.status], [200, 'sucess']);
    assert.match(scan.body.message, /^This gateway has no Wi-Fi/);
    await wifi.forgetAll();
  });

  for (const [what, body] of [
    ['POST /api/wifi', { ssid: 'Home', psk: 'secret123' }],
    ['DELETE /api/wifi', undefined],
    ['POST /api/ble/stop', undefined],
  ] as const) {
    test(`answers ${what} with 503 and a sentence`, async (t) => {
      const { call } = openNetwork(t, nothing);
      const answer = await call(what, body ? { body } : {});
      assert.equal(answer.status, 503);
      assert.equal(answer.body.error, 'unavailable');
      assert.match(answer.body.message, /^This gateway has no .*\.$/);
    });
  }
});

suite('Bluetooth', () => {
  for (const { says, output, exit, status } of [
    { says: 'that stops', output: 'Changing power off succeeded', exit: '0', status: 200 },
    { says: 'without a controller', output: 'No default controller available', exit: '0', status: 503 },
    { says: 'that fails', output: 'Failed to set power: org.bluez.Error.Failed', exit: '1', status: 500 },
  ]) {
    test(`${says} is ${status}`, async (t) => {
      const { call, machine } = await openWithWifi(t);
      await machine.write('bluetooth', output);
      await machine.write('bluetooth-exit', exit);
      assert.equal((await call('POST /api/ble/stop')).status, status);
    });
  }
});
