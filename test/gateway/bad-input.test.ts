import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { connectionTypeNames, connectionTypes } from '#contract/gateway/connections.ts';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { type Street, startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { someOf } from '../amount.ts';
import { freePort } from '../free-port.ts';
import { openGateway } from './open-gateway.ts';

let gateway: Awaited<ReturnType<typeof openGateway>>;
let street: Street;
let nowhere = 0; // a port where nothing listens
let tries = 0;
before(async () => {
  gateway = await openGateway({ HARVEST_MS: '1000' });
  street = await startStreet({ portBase: 0, only: ['sungrow'], house: fixedHouse() });
  nowhere = await freePort();
  await gateway.call('POST', '/api/devices', street.players[0]!.connection);
});
after(async () => {
  console.log(`${tries} bad requests tried on the gateway`);
  await gateway.close();
  await street.close();
});

// Control has its own tests; a network that is joined here would be one of the machine that runs this.
const withBody = gatewayRoutes.filter(({ body, path }) => body && !path.startsWith('/api/control/'));
const ofDevice = gatewayRoutes.filter(({ path }) => path.includes('{sn}') && !path.startsWith('/api/control/'));

/** A body that the route accepts, and that changes nothing here. */
const good = (): Record<string, Record<string, unknown>> => ({
  '/api/system/log_stream': { enabled: false, level: 4 },
  '/api/system/mqtt': { mqtt_connection_str: 7 },
  '/api/wifi': { ssid: 'Home', psk: 7 },
  '/api/network/port-check': { host: '127.0.0.1', port: nowhere, timeout: 100 },
  '/api/devices/detect': { ip: '127.0.0.1', port: nowhere },
  '/api/devices/{sn}/types': { ders: [{ type: 'pv', enabled: false }] },
  '/api/devices/{sn}/ders': { ders: [{ type: 'pv' }] },
  '/api/devices/{sn}/registers/{address}': { value: 1 },
  '/api/devices/{sn}/registers': { registers: { 1: 1 } },
  '/api/devices/{sn}/write': { addr: 1, value: 1 },
  '/api/modbus/read': { ip: '127.0.0.1', port: nowhere, unit_id: 1, register: 1 },
  '/api/crypto': { wallet: 7 },
  '/api/crypto/sign': { message: 7, timestamp: 7 },
});

/** A device of each connection type that does not exist. */
const absent = (): Record<string, unknown>[] => [
  { type: 'modbus_tcp', ip: '127.0.0.1', port: nowhere, unit_id: 1, profile: 'sungrow' },
  { type: 'modbus_rtu', serial_port: '/dev/ttyNONE9', baud_rate: 9600, unit_id: 1, profile: 'sdm630' },
  { type: 'p1_uart', serial_port: '/dev/ttyNONE9', baud_rate: 9600 },
  { type: 'mqtt', broker_host: '127.0.0.1', broker_port: nowhere, profile: 'ambibox' },
];

type Fields = { properties?: Record<string, unknown>; required?: string[] };

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const text = (value: unknown): string => JSON.stringify(value);

/** Bodies that every route refuses; a route for any JSON accepts valid JSON. */
const noBody: Record<string, { text: string | Uint8Array<ArrayBuffer>; status: number; isJson?: true }> = {
  'a broken object': { text: '{"ders":', status: 400 },
  'a number': { text: '7', status: 400, isJson: true },
  null: { text: 'null', status: 400, isJson: true },
  'a list': { text: '[]', status: 400, isJson: true },
  'text after the object': { text: '{} {}', status: 400 },
  'a hundred thousand nested lists': { text: nested(100_000), status: 400 },
  'a depth of 33': { text: nested(33), status: 400 },
  'a body of 300 KiB': { text: text({ ssid: 'x'.repeat(300 * 1024) }), status: 413 },
  'two thousand keys': { text: text(Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [n, 1]))), status: 400 },
  'a polluted prototype': { text: '{"__proto__":{"enabled":true}}', status: 400 },
  'a key twice': { text: '{"value":1,"value":2}', status: 400 },
  'an infinite number': { text: '{"value":1e999}', status: 400 },
  'bytes that are not UTF-8': { text: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), status: 400 },
};

// biome-ignore format: a row of words
const wrongTexts = [
  '', ' ', '0', '1.5', 'a\u0000b', 'a\nb', '\u001b[31m', '\ud800', 'x'.repeat(10_000), 'a/+/#', "' or 1=1; --", '__proto__', '%s%n',
];

const wrongNumbers = [-1, 0.5, 2 ** 53, 1e308, -1e308];

const wrongValues = [null, true, false, [], [[]], [null], {}, { x: { y: 1 } }, ...wrongNumbers, ...wrongTexts];

const traversals = ['..', '.', '../..', '../../etc/passwd', '/etc/passwd', '..\\..\\x', 'a/../../b', '....//....//x']
  .flatMap((spelling) => [spelling, `${spelling}\0`, `${spelling}.json`, `SIMSUNGROW0001/${spelling}`])
  .concat('constructor', '__proto__', 'toString', 'hasOwnProperty', 'file:///etc/passwd', '\u2025/\u2025/x');

/** Everything that requests must not change. */
function kept(): string {
  const folder = join(gateway.folder, 'devices');
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  return text([files, readdirSync(gateway.folder).filter((name) => name === 'mqtt.json')]);
}

async function ask(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, type = 'application/json') {
  const answer = await fetch(gateway.url + path, {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': type } }),
  });
  tries += 1;
  const said = `${method} ${path.slice(0, 80)} ${String(body).slice(-200)}: ${answer.status}`;
  const content = await answer.text();
  if (answer.status >= 400) {
    const { status, error, message, ...rest } = JSON.parse(content);
    assert.equal(status, 'error', said);
    assert.match(error, /^[a-z_]+$/, said);
    assert.ok(message.length > 0 && message.length < 2000, said);
    if (error !== 'device_failed') assert.deepEqual(rest, {}, said);
  }
  // The document declares 500 for a device that does not obey, and 502 for one that is read remotely.
  const isDocumented = /"(device_failed|upstream_failed)"/.test(content) || [501, 503].includes(answer.status);
  assert.ok(answer.status < 500 || isDocumented, `${said} ${content}`);
  return { status: answer.status, said };
}

const placed = (path: string): string => path.replace('{sn}', 'SIMSUNGROW0001').replace('{address}', '1');

async function keepsAll(run: () => Promise<void>): Promise<void> {
  const before = kept();
  await run();
  assert.equal(kept(), before);
}

suite('bad input', () => {
  for (const { method, path, body: schema } of withBody) {
    test(`${method} ${path} refuses an invalid body`, () =>
      keepsAll(async () => {
        for (const { text, status, isJson } of Object.values(noBody)) {
          const answer = await ask(method, placed(path), text);
          const isLeftOut = text === 'null' && path === '/api/crypto/sign'; // nothing of it is needed
          if (!isLeftOut) assert.equal(answer.status, isJson && path === '/api/echo' ? 200 : status, answer.said);
        }
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          '*/*',
        ]) {
          const answer = await ask(method, placed(path), '{}', type);
          assert.equal(answer.status, 415, answer.said);
        }
      }));

    const body = good()[path];
    if (!body) continue;
    test(`${method} ${path} accepts no invalid value for any of its fields`, () =>
      keepsAll(async () => {
        const { properties = {}, required = [] } = schema as Fields;
        const fields = new Set([...Object.keys(properties), ...Object.keys(body)]);
        for (const field of fields) {
          for (const value of wrongValues) {
            if (value === '' && path === '/api/system/mqtt') continue; // means no broker
            if (typeof value === 'string' && (path === '/api/wifi' || path === '/api/crypto')) continue; // are names
            await ask(method, placed(path), text({ ...good()[path], [field]: value }));
          }
        }
        for (const field of required) {
          const { [field]: _, ...rest } = body;
          const answer = await ask(method, placed(path), text(rest));
          assert.equal(answer.status, 400, answer.said);
        }
      }));
  }

  for (const [index, type] of connectionTypeNames.entries()) {
    test(`POST /api/devices accepts no invalid parameter of ${type}`, () =>
      keepsAll(async () => {
        const device = absent()[index]!;
        for (const { name } of [...connectionTypes[type].parameters, { name: 'type' }]) {
          const isPlace = ['ip', 'broker_host'].includes(name);
          for (const value of [...wrongValues, ...someOf(traversals)]) {
            if (isPlace && typeof value === 'string' && /^\w+$/.test(value)) continue; // a name, to be looked up
            const { status, said } = await ask('POST', '/api/devices', text({ ...device, [name]: value }));
            assert.ok([400, 503].includes(status), said);
            if (name === 'profile' && type !== 'p1_uart') assert.equal(status, 400, said);
            if (name === 'serial_port' && value) assert.equal(status, 400, said);
          }
        }
      }));
  }

  test('a path leads to no other file than that of a device', () =>
    keepsAll(async () => {
      for (const { method, path, body } of ofDevice) {
        for (const spelling of someOf(traversals)) {
          for (const sn of [encodeURIComponent(spelling), encodeURIComponent(spelling).replaceAll('.', '%2e')]) {
            const url = placed(path.replace('{sn}', sn || '%20'));
            const { status, said } = await ask(method, url, body && text(good()[path] ?? {}));
            assert.ok([400, 404, 405].includes(status), said);
          }
        }
      }
    }));
});
