import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFakeClock } from '#test/fake-clock.ts';
import { startMqttBroker } from '#test/services/mqtt-broker.ts';
import { ambibox } from '../profiles/ambibox.ts';
import { createMqttDriver } from './mqtt-driver.ts';

const power = { cmd: 'publish', topic: 'device/evCharger/1/powerAc', payload: '1500', qos: 0, retain: false } as const;

/** A broker where a charger tells its power as soon as somebody listens. */
async function startCharger(t: TestContext): Promise<number> {
  const { aedes, port, close } = await startMqttBroker();
  aedes.on('subscribe', () => aedes.publish({ ...power, dup: false }, () => {}));
  t.after(close);
  return port;
}

for (const { says, staleAfterMs, losses } of [
  { says: 'a clock that is set does not make a device silent', staleAfterMs: ambibox.staleAfterMs, losses: 0 },
  { says: 'a device that tells nothing new is lost', staleAfterMs: 500, losses: 1 },
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
    await sleep(1700);
    assert.equal(lost.length, losses);
  });
}
