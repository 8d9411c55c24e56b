import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { startMqttBroker } from '#test/services/mqtt-broker.ts';
import { until } from '#test/until.ts';
import { ambibox } from '../profiles/ambibox.ts';
import { ferroampDc2 } from '../profiles/ferroamp-dc2.ts';
import { createMqttDriver } from './mqtt-driver.ts';

const power = { cmd: 'publish', topic: 'device/evCharger/1/powerAc', payload: '1500', qos: 0, retain: false } as const;

/** Starts a broker where a charger publishes its power as soon as somebody subscribes. */
async function startCharger(t: TestContext): Promise<number> {
  const { aedes, port, close } = await startMqttBroker();
  aedes.on('subscribe', () => aedes.publish({ ...power, dup: false }, () => {}));
  t.after(close);
  return port;
}

for (const { says, staleAfterMs, losses } of [
  { says: 'setting the clock does not make a device silent', staleAfterMs: ambibox.staleAfterMs, losses: 0 },
  { says: 'a device that publishes nothing new is lost', staleAfterMs: 500, losses: 1 },
]) {
  test(says, { timeout: 30_000 }, async (t) => {
    const broker_port = await startCharger(t);
    const clock = createFakeClock(1000); // a machine without a battery begins in 1970
    const driver = createMqttDriver(
      { type: 'mqtt', broker_host: '127.0.0.1', broker_port },
      { ...ambibox, staleAfterMs },
      { clock, resolve: async (host) => host },
    );
    const lost: Error[] = [];
    const lose = async (error: Error): Promise<void> => {
      lost.push(error);
      await driver.close();
    };
    t.after(() => driver.close());
    await driver.open({ onHarvest() {}, onFailedFrame() {}, onLost: (error) => void lose(error) });
    clock.advance(Date.parse('2026-06-01T12:00:00Z'));
    if (losses > 0) await until(() => lost.length > 0);
    else await sleep(1700);
    assert.equal(lost.length, losses);
  });
}

const pecc = JSON.stringify({ PECCStatus2: { measuredVoltage: 400, measuredCurrent: 5 } });
const system = JSON.stringify({ Host: 'DC2-0042' });

for (const { says, lateMs, serial } of [
  {
    says: 'a charger that publishes its serial number after its power is identified by it',
    lateMs: 300,
    serial: 'DC2-0042',
  },
  {
    says: 'a charger that never publishes its serial number is added without it',
    lateMs: undefined,
    serial: undefined,
  },
]) {
  test(says, { timeout: 30_000 }, async (t) => {
    const { aedes, port, close } = await startMqttBroker();
    t.after(close);
    const tell = (topic: string, payload: string) => aedes.publish({ ...power, topic, payload, dup: false }, () => {});
    aedes.on('subscribe', () => {
      tell('dc2/v2x/pecc', pecc);
      if (lateMs !== undefined) setTimeout(tell, lateMs, 'dc2/v2x/system', system);
    });
    const driver = createMqttDriver(
      { type: 'mqtt', broker_host: '127.0.0.1', broker_port: port },
      { ...ferroampDc2, ...(lateMs === undefined && { serialWithinMs: 200 }) },
      { clock: systemClock, resolve: async (host) => host },
    );
    t.after(() => driver.close());
    const found = await driver.open({ onHarvest() {}, onFailedFrame() {}, onLost() {} });
    assert.deepEqual([found.serial, found.ders], [serial, ['v2x_charger']]);
  });
}

test('closing ends the wait for a serial number', { timeout: 30_000 }, async (t) => {
  const { aedes, port, close } = await startMqttBroker();
  t.after(close);
  aedes.on('subscribe', () => aedes.publish({ ...power, topic: 'dc2/v2x/pecc', payload: pecc, dup: false }, () => {}));
  const driver = createMqttDriver(
    { type: 'mqtt', broker_host: '127.0.0.1', broker_port: port },
    { ...ferroampDc2, serialWithinMs: 20_000 },
    { clock: systemClock, resolve: async (host) => host },
  );
  const heard = Promise.withResolvers<void>();
  const opening = driver.open({ onHarvest: () => heard.resolve(), onFailedFrame() {}, onLost() {} });
  const refused = assert.rejects(opening, /closed while it was being opened/);
  await heard.promise;
  await driver.close();
  await refused;
  await until(() => aedes.connectedClients === 0);
});
