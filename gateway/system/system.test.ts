import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { Network } from '#contract/gateway/network.ts';
import { fakeCommands } from '#test/gateway/fake-commands.ts';
import { openLocal } from '#test/gateway/open-local.ts';
import { openNetwork } from '#test/gateway/open-network.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openRemoteManagement } from '../manage/remote-management.ts';
import { createLogStream } from '../uplink/log-stream.ts';
import { finishReset, resetGateway } from './factory-reset.ts';
import { watchMemory } from './memory.ts';
import { openMqttConfig } from './mqtt-config.ts';
import { createRestart } from './restart.ts';
import { type SystemDeps, systemRoutes } from './routes.ts';

const network: Network = {
  wifiStatus: 'connected',
  wifiConnected: true,
  localIP: '192.168.1.5',
  ssid: 'Home',
  rssi: -60,
  internetConnected: true,
};

async function openGateway(t: TestContext, changes: Partial<SystemDeps> = {}) {
  const dataDir = temporaryFolder(t);
  const local = openLocal();
  const reboots: string[] = [];
  const restart = createRestart({ reboot: (reason) => void reboots.push(reason), log: local.log });
  const memory = watchMemory();
  const logStream = createLogStream('ohm-0123456789abcdef');
  systemRoutes(local.mount, {
    name: 'software_zap',
    displayName: 'Cellar',
    version: '1.2.3',
    identity: { serial: 'ohm-0123456789abcdef', publicKeyHex: 'ab'.repeat(64) },
    dataDir,
    infoKeys: ['zap', 'hub'],
    memory,
    network: async (form) => ({ ...network, ...(form === 'later' && { mqttConnected: true }) }),
    logStream,
    mqttConfig: await openMqttConfig(dataDir, local.log),
    restart,
    management: await openRemoteManagement(dataDir, local.log),
    platformKeys: { isTrusted: () => true, trustAnew: () => {} },
    factoryReset: async () => ({ isWifiForgotten: true }),
    tasks: () => [{ name: 'harvest', state: 'waiting' }],
    ...changes,
  });
  t.after(() => {
    restart.close();
    memory.close();
  });
  return { ...local, dataDir, reboots, streaming: logStream.setting };
}

suite('the system', () => {
  test('reports real figures', async (t) => {
    const begun = performance.now();
    const { call, clock } = await openGateway(t);
    const { status, body } = await call('GET /api/system');
    assert.equal(status, 200);
    assert.equal(body.time_utc_sec, clock.now() / 1000);
    assert.ok(Number.isInteger(body.uptime_seconds) && body.uptime_seconds >= 0, `${body.uptime_seconds}`);
    assert.ok(body.uptime_seconds <= (performance.now() - begun) / 1000, `${body.uptime_seconds}`);
    const { total, free, used, percent_used, min, largest } = body.memory_kb;
    assert.ok(free > 1000 && free < total, `${free} of ${total}`);
    assert.equal(used, total - free);
    assert.ok(Math.abs(percent_used - (used / total) * 100) < 0.1);
    assert.ok(min <= free && min > 0);
    assert.equal(largest, free);
    assert.deepEqual(Object.keys(body.processes_average), ['last_1min', 'last_5min', 'last_15min']);
    assert.deepEqual(body.logging, { enabled: false, level: 4 });
    const { flashSizeMB, cpuFreqMHz = 1, ...info } = body.gateway_info;
    assert.ok(flashSizeMB > 1 && cpuFreqMHz > 0);
    assert.deepEqual(info, {
      deviceId: 'ohm-0123456789abcdef',
      name: 'Cellar',
      sdkVersion: process.version,
      firmwareVersion: '1.2.3',
      publicKey: 'ab'.repeat(64),
      network: { ...network, mqttConnected: true },
    });
  });

  test('also shows the gateway under the other names', async (t) => {
    const { call } = await openGateway(t);
    const { body } = await call('GET /api/system', { headers: { 'x-api-form': 'earlier' } });
    assert.deepEqual(body.zap, body.gateway_info);
    assert.deepEqual(body.hub, body.gateway_info);
    assert.deepEqual(body.zap.network, network);
  });

  test('has a name', async (t) => {
    const { call } = await openGateway(t);
    assert.deepEqual((await call('GET /api/name')).body, { name: 'software_zap' });
  });

  test('shows the memory and tasks of the process', async (t) => {
    const { call } = await openGateway(t);
    const { body } = await call('GET /api/debug');
    assert.equal(body.status, 'ok');
    assert.ok(body.heap.used_bytes > 1e6 && body.heap.used_bytes < body.heap.resident_bytes);
    assert.deepEqual(body.tasks, [{ name: 'harvest', state: 'waiting' }]);
  });

  for (const text of ['{ "b": 1,  "a": [true, null] }', '"å"', '12', 'null', '[]']) {
    test(`echoes ${text} unchanged`, async (t) => {
      const { call } = await openGateway(t);
      assert.deepEqual((await call('POST /api/echo', { body: text })).body, { echo: text });
    });
  }

  test('streams its log in the requested form', async (t) => {
    const { call, streaming } = await openGateway(t);
    for (const form of ['earlier', 'later']) {
      await call('POST /api/system/log_stream', { body: { enabled: true }, headers: { 'x-api-form': form } });
      assert.equal(streaming().form, form);
    }
  });

  test('streams its log at the requested level, or at INFO', async (t) => {
    const { call } = await openGateway(t);
    const set = (body: object) => call('POST /api/system/log_stream', { body });
    assert.deepEqual((await set({ enabled: true, level: 6 })).body, { enabled: true, status: 'success' });
    assert.deepEqual((await call('GET /api/system')).body.logging, { enabled: true, level: 6 });
    await set({ enabled: true });
    assert.deepEqual((await call('GET /api/system')).body.logging, { enabled: true, level: 4 });
    assert.deepEqual((await set({ enabled: false })).body, { enabled: false, status: 'success' });
    for (const wrong of [{}, { enabled: 'yes' }, { enabled: true, level: 0 }, { enabled: true, level: 7 }]) {
      assert.equal((await set(wrong)).status, 400, JSON.stringify(wrong));
    }
  });
});

suite('a restart', () => {
  test('happens once, 5 s after the request', async (t) => {
    const { call, reboots } = await openGateway(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    for (let i = 0; i < 3; i++) {
      const { status, body } = await call('POST /api/system/reboot');
      assert.equal(status, 200);
      assert.equal(body.status, 'success');
    }
    t.mock.timers.tick(4999);
    assert.deepEqual(reboots, []);
    t.mock.timers.tick(60_000);
    assert.deepEqual(reboots, ['asked for']);
    await call('POST /api/system/reboot');
    t.mock.timers.tick(5000);
    assert.equal(reboots.length, 2);
  });

  test('happens 2 s after a factory reset, although one was scheduled', async (t) => {
    const { call, reboots } = await openGateway(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await call('POST /api/system/reboot');
    const { status, body } = await call('POST /api/system/factory-reset');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['message']);
    t.mock.timers.tick(2000);
    assert.deepEqual(reboots, ['factory reset']);
    t.mock.timers.tick(60_000);
    assert.equal(reboots.length, 1);
  });

  test('follows a reset that could not delete the Wi-Fi networks, and the answer reports that', async (t) => {
    const machine = await fakeCommands(t);
    await machine.write('delete-error', 'Error: not authorized to modify system connections.\n');
    const { wifi, log, lines } = openNetwork(t, machine.path);
    const dataDir = temporaryFolder(t);
    await writeFile(join(dataDir, 'local-token'), 'secret');
    const kept = async (): Promise<void> => {};
    const factoryReset = () =>
      resetGateway({ dataDir, removeDevices: kept, clearBroker: kept, forgetWifi: wifi.forgetAll, log });
    const { call, reboots } = await openGateway(t, { factoryReset });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { status, body } = await call('POST /api/system/factory-reset');
    assert.equal(status, 200);
    assert.match(body.message, /still knows its Wi-Fi networks/);
    assert.ok(lines.some((line) => line.includes('not authorized')));
    t.mock.timers.tick(2000);
    assert.deepEqual(reboots, ['factory reset']);
    assert.equal(await finishReset(dataDir), true, 'the state after the restart');
  });

  test('does not follow a failed reset', async (t) => {
    const factoryReset = () => Promise.reject(new Error('ENOSPC at /secret/path'));
    const { call, reboots } = await openGateway(t, { factoryReset });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { status, body } = await call('POST /api/system/factory-reset');
    assert.equal(status, 500);
    assert.equal(body.error, 'storage_failed');
    assert.doesNotMatch(body.message, /secret/);
    t.mock.timers.tick(60_000);
    assert.deepEqual(reboots, []);
  });

  test('that fails is logged and can be requested again', async (t) => {
    const { log, lines } = openLocal();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const restart = createRestart({ reboot: () => Promise.reject(new Error('busy')), log });
    for (const failures of [1, 2]) {
      restart.schedule('asked for', 1);
      t.mock.timers.tick(1);
      await new Promise(setImmediate);
      assert.equal(lines.filter((line) => line.includes('reboot failed')).length, failures);
    }
  });
});

suite('the broker configuration', () => {
  const path = '/api/system/mqtt';
  const nothing = { mqtt_connection_str: '', mqtt_connection_fallback_str: '' };

  test('is empty until it is set, and again once cleared', async (t) => {
    const { call, dataDir, log, reboots } = await openGateway(t);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    assert.deepEqual((await call(`GET ${path}`)).body, nothing);
    const { status, body } = await call(`POST ${path}`, {
      body: { mqtt_connection_str: 'mqtts://broker.example:8883' },
    });
    assert.equal(status, 200);
    assert.equal(body.status, 'success');
    const set = { ...nothing, mqtt_connection_str: 'mqtts://broker.example:8883' };
    assert.deepEqual((await call(`GET ${path}`)).body, set);
    assert.deepEqual((await openMqttConfig(dataDir, log)).get(), set);
    t.mock.timers.tick(5000);
    assert.deepEqual(reboots, ['broker changed']);

    assert.equal((await call(`DELETE ${path}`)).status, 200);
    assert.deepEqual((await call(`GET ${path}`)).body, nothing);
    assert.deepEqual((await openMqttConfig(dataDir, log)).get(), nothing);
    t.mock.timers.tick(5000);
    assert.deepEqual(reboots, ['broker changed', 'broker cleared']);
    assert.equal((await call(`DELETE ${path}`)).status, 200);
  });

  for (const address of [
    'broker.local:1883',
    '192.168.1.5:1883',
    'tcp://broker.local',
    'ssl://me:pw@broker.local:8883',
  ]) {
    test(`may be written as ${address}`, async (t) => {
      const { call, dataDir, log } = await openGateway(t);
      assert.equal((await call(`POST ${path}`, { body: { mqtt_connection_str: address } })).status, 200);
      assert.equal((await openMqttConfig(dataDir, log)).get().mqtt_connection_str, address);
      assert.doesNotMatch((await call(`GET ${path}`)).body.mqtt_connection_str, /pw/);
    });
  }

  test('hides its passwords, and keeps them when it is sent back as shown', async (t) => {
    const { call, dataDir, log, lines } = await openGateway(t);
    const fallback = 'wss://u:p%40ss-canary@broker.example/mqtt';
    await call(`POST ${path}`, {
      body: { mqtt_connection_str: 'mqtt://me:pw-canary@10.0.0.2:1883', mqtt_connection_fallback_str: fallback },
    });
    const { body: shown } = await call(`GET ${path}`);
    assert.deepEqual(shown, {
      mqtt_connection_str: 'mqtt://me:***@10.0.0.2:1883',
      mqtt_connection_fallback_str: 'wss://u:***@broker.example/mqtt',
    });
    assert.equal((await call(`POST ${path}`, { body: shown })).status, 200);
    assert.equal((await openMqttConfig(dataDir, log)).get().mqtt_connection_fallback_str, fallback);
    assert.equal((await call(`POST ${path}`, { body: { mqtt_connection_str: 'mqtt://me:***@10.0.0.3' } })).status, 400);
    assert.doesNotMatch(lines.join(''), /canary/);
  });

  test('changes the given field and keeps the other', async (t) => {
    const { call } = await openGateway(t);
    await call(`POST ${path}`, { body: { mqtt_connection_str: 'mqtt://a', mqtt_connection_fallback_str: 'ws://b' } });
    await call(`POST ${path}`, { body: { mqtt_connection_str: '' } });
    assert.deepEqual((await call(`GET ${path}`)).body, { ...nothing, mqtt_connection_fallback_str: 'ws://b' });
  });

  const wrong: unknown[] = [
    undefined,
    {},
    { mqtt_connection_str: '' },
    nothing,
    { other: 'mqtt://a' },
    { mqtt_connection_str: 7 },
    { mqtt_connection_str: null },
    { mqtt_connection_str: 'broker.example' },
    { mqtt_connection_str: 'http://broker.example' },
    { mqtt_connection_str: 'mqtt://' },
    { mqtt_connection_str: 'mqtt:///path' },
    { mqtt_connection_str: 'mqtt://host:99999' },
    { mqtt_connection_str: 'mqtt://a\nb' },
    { mqtt_connection_str: 'mqtt://me:50%off@a' },
    { mqtt_connection_str: 'mqtt://a', mqtt_connection_fallback_str: 'nonsense' },
  ];
  for (const body of wrong) {
    test(`is not ${JSON.stringify(body)}`, async (t) => {
      const { call, reboots } = await openGateway(t);
      const { status } = await call(`POST ${path}`, body === undefined ? {} : { body });
      assert.equal(status, 400);
      assert.deepEqual((await call(`GET ${path}`)).body, nothing);
      assert.deepEqual(reboots, []);
    });
  }

  test('that cannot be stored changes nothing', async (t) => {
    const { log } = openLocal();
    const { call } = await openGateway(t, { mqttConfig: await openMqttConfig('/nowhere/to/be/found', log) });
    const { status, body } = await call(`POST ${path}`, { body: { mqtt_connection_str: 'mqtt://a' } });
    assert.equal(status, 500);
    assert.equal(body.error, 'storage_failed');
    assert.deepEqual((await call(`GET ${path}`)).body, nothing);
  });

  test('that was damaged is set aside and logged', async (t) => {
    const { dataDir, log, lines } = await openGateway(t);
    await writeFile(join(dataDir, 'mqtt.json'), '{"sha256":"","data":{}}');
    assert.deepEqual((await openMqttConfig(dataDir, log)).get(), nothing);
    assert.ok(lines.some((line) => line.includes('was damaged')));
    await assert.rejects(readFile(join(dataDir, 'mqtt.json')), { code: 'ENOENT' });
  });
});
