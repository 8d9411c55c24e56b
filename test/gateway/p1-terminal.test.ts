import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type P1FormatName, p1FormatNames, p1Formats } from '#sim/p1/formats.ts';
import { meterValues } from '#sim/p1/meter-values.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { type Cable, noCable, openCable } from '../serial/cable.ts';
import { openSerial } from '../serial/open-serial.ts';
import { until } from '../until.ts';
import { openGateway } from './open-gateway.ts';

const house = fixedHouse({ load_W: 2345 });
const paceMs = 300;

const formatNumber = (name: P1FormatName): number => {
  if (name.startsWith('mbus')) return 2;
  return ['aidon', 'kaifa', 'kamstrup'].includes(name) ? 1 : 0;
};

async function cableFor(t: TestContext): Promise<Cable> {
  const cable = await openCable();
  t.after(() => cable.close());
  return cable;
}

/** A meter that sends every telegram in pieces of a few bytes. `next` is sent once, before the next telegram. */
async function startMeter(t: TestContext, path: string, name: P1FormatName) {
  const serial = await openSerial({ path, ...p1Formats[name].line });
  const telegramOf = (count: number): Buffer =>
    p1Formats[name].write(meterValues(house.at(Date.UTC(2026, 5, 1))), count);
  const next: Buffer[] = [];
  const over = new AbortController();
  serial.stream.on('error', () => over.abort()); // the cable was pulled out
  const sending = (async () => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      for (const bytes of [...next.splice(0), telegramOf(count)]) {
        for (let at = 0; at < bytes.length && !over.signal.aborted; ) {
          const piece = bytes.subarray(at, at + randomInt(1, 60));
          if (serial.stream.writable) serial.stream.write(piece);
          at += piece.length;
          await sleep(2);
        }
      }
      await sleep(paceMs);
    }
  })();
  const close = async (): Promise<void> => {
    over.abort();
    await sending;
    await serial.close();
  };
  t.after(close);
  return { telegram: telegramOf(1), send: (bytes: Buffer) => void next.push(bytes), close };
}

/** The gateway of these tests runs in this process. */
async function untilOpened(path: string): Promise<void> {
  const device = realpathSync(path);
  const isIt = (fd: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === device;
    } catch {
      return false; // closed since it was listed
    }
  };
  await until(() => readdirSync('/proc/self/fd').some(isIt), Boolean);
  await sleep(1000); // its settings are applied, and waiting data is discarded, also on a busy machine
}

/** Without the bytes that a frame begins with: data after a frame may look like a failed one. */
const noise = (): Buffer =>
  Buffer.from(randomBytes(200).map((byte) => ([0x2f, 0x68, 0x7e, 0xdb].includes(byte) ? 0x55 : byte)));

function broken(telegram: Buffer): Buffer {
  const copy = Buffer.from(telegram);
  copy[copy.length >> 1]! ^= 0x10;
  return copy;
}

suite('a P1 meter on a serial line', { skip: noCable, concurrency: true }, () => {
  for (const name of p1FormatNames) {
    const { line, key, title } = p1Formats[name];
    test(`${title}: data, raw and debug`, async (t) => {
      const cable = await cableFor(t);
      const gateway = await openGateway({ GATEWAY_P1_PORT: cable.gateway });
      t.after(() => gateway.close());
      const adding = gateway.call('POST', '/api/devices', {
        type: 'p1_uart',
        baud_rate: line.baudRate,
        data_bits: line.dataBits ?? 8,
        parity: line.parity ?? 'none',
        ...(key && { decryption_key: key.toString('hex') }),
      });
      await untilOpened(cable.gateway); // before the meter starts, so that nothing is received in part
      const meter = await startMeter(t, cable.device, name);
      const added = await adding;
      assert.equal(added.status, 201, JSON.stringify(added.body));
      assert.deepEqual([added.body.sn, added.body.ders], ['p1_meter', [{ type: 'meter', enabled: false }]]);
      const get = async (what: string) => (await gateway.call('GET', `/api/devices/p1_meter/data/${what}`)).body;

      const raw = await get('raw');
      assert.deepEqual([raw.format, Object.keys(raw.data)], ['p1_uart', ['ts', 'device_id', 'obis']]);
      assert.ok(Number.isInteger(raw.data.ts) && raw.data.obis.length > 0);
      assert.ok(raw.data.obis.every((text: unknown) => typeof text === 'string'));
      const quiet = await get('debug');
      assert.deepEqual(Object.keys(quiet), ['sn', 'device_type', 'message', 'last_failed_hex']);
      assert.equal(quiet.last_failed_hex, '');

      meter.send(noise());
      meter.send(broken(meter.telegram));
      meter.send(Buffer.from('\0\0'));
      const since = (await get('json')).meter.timestamp;
      const seen = new Set<number>();
      await until(
        async () => (await get('json')).meter,
        ({ W, timestamp }) => seen.add(W) && timestamp > since + 4 * paceMs,
      );
      // DSMR 2.2 has no checksum and reports tens of watts: damage may go unnoticed.
      if (name === 'dsmr22') return;
      assert.deepEqual([...seen], [house.at(0).meter_W]);
      const failed = await until(
        () => get('debug'),
        ({ last_failed_hex }) => last_failed_hex !== '',
      );
      assert.deepEqual([failed.device_type, failed.sn], ['p1_meter', 'p1_meter']);
      assert.equal(failed.last_failed_type, formatNumber(name), JSON.stringify(failed));
      assert.ok(failed.last_failed_ts >= since && failed.last_failed_size > 0);
      const shown = Math.min(failed.last_failed_size, 256);
      assert.match(failed.last_failed_hex, new RegExp(`^[0-9a-f]{${2 * shown}}$`));
      assert.match(failed.last_failed_ascii, new RegExp(`^[\\x20-\\x7e]{${shown}}$`));
      const logged = gateway.lines.map((text) => JSON.parse(text)).findLast(({ msg }) => msg === 'frame failed');
      assert.ok(logged.hex.length <= 128 && failed.last_failed_hex.startsWith(logged.hex));
    });
  }

  test('is found without its line settings, which are then shown, also after a restart', async (t) => {
    const cable = await cableFor(t);
    await startMeter(t, cable.device, 'dsmr5');
    const gateway = await openGateway({ GATEWAY_P1_PORT: cable.gateway });
    t.after(() => gateway.close());
    assert.equal((await gateway.call('POST', '/api/devices', { type: 'p1_uart' })).status, 201);
    const entry = async () => (await gateway.call('GET', '/api/devices')).body.devices[0];
    const { serial_port, baud_rate, data_bits, parity, stop_bits } = await entry();
    // A pseudo terminal has no speed: the first one that is tried works.
    assert.deepEqual([serial_port, baud_rate, data_bits, parity, stop_bits], [cable.gateway, 2400, 8, 'none', 1]);
    await gateway.restart();
    const { connected, baud_rate: again } = await until(entry, ({ connected }) => connected);
    assert.deepEqual([connected, again], [true, 2400]);
  });

  test('is lost when its cable is pulled out, and back when it is plugged in', async (t) => {
    const cable = await cableFor(t);
    const meter = await startMeter(t, cable.device, 'dsmr5');
    const gateway = await openGateway({ GATEWAY_P1_PORT: cable.gateway });
    t.after(() => gateway.close());
    await gateway.call('POST', '/api/devices', { type: 'p1_uart', baud_rate: 115_200 });
    const entry = async () => (await gateway.call('GET', '/api/devices')).body.devices[0];
    await meter.close();
    await cable.pullOut();
    const lost = await until(entry, ({ connected }) => !connected, 2000);
    assert.match(lost.error, /was closed/);
    assert.equal((await gateway.call('GET', '/api/devices/p1_meter/data/json')).status, 200); // the last value it sent
    await cable.plugIn();
    await startMeter(t, cable.device, 'dsmr5');
    const back = await until(entry, ({ connected }) => connected, 12_000);
    assert.deepEqual([back.error, back.last_harvest > lost.last_harvest], [undefined, true]);
  });
});
