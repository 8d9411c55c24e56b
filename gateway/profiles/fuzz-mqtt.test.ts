import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { heldBytes } from '#test/held-memory.ts';
import { ambibox } from './ambibox.ts';
import { ferroamp } from './ferroamp.ts';
import { ferroampDc2 } from './ferroamp-dc2.ts';
import type { MqttListener, MqttProfile } from './profile.ts';
import { fuzzMqtt } from './testing/fuzz-mqtt.ts';

/** Returns the profile with a bug in its listeners. */
const planted = (profile: MqttProfile, change: (listener: MqttListener) => Partial<MqttListener>): MqttProfile => ({
  ...profile,
  listen() {
    const listener = profile.listen();
    return { ...listener, ...change(listener) };
  },
});

suite('damaged MQTT messages', () => {
  test('cause neither errors nor implausible values', () => {
    const { cases, readings, wrong, slowestMs } = fuzzMqtt({ seed: 20_250_615, cases: 20_000 });
    assert.deepEqual(wrong, []);
    assert.equal(cases, 20_000);
    assert.ok(readings > cases / 10, `only ${readings} readings`);
    assert.ok(slowestMs < 200, `${slowestMs} ms`);
  });

  for (const { says, finds, profile } of [
    {
      says: 'does not validate numbers',
      finds: /W (1e\+308|Infinity|-Infinity|NaN)/,
      profile: planted(ambibox, (listener) => {
        let W = Number.NaN;
        return {
          handle(message) {
            if (message.topic.endsWith('/powerAc')) W = Number(new TextDecoder().decode(message.payload));
            return listener.handle(message);
          },
          read(now) {
            const read = listener.read(now);
            return read && { v2x_charger: { ...read.v2x_charger, W } };
          },
        };
      }),
    },
    {
      says: 'treats retained messages as new',
      finds: /without a fresh message/,
      profile: planted(ferroampDc2, ({ handle: take }) => ({
        handle: (message) => take({ ...message, isRetained: false }),
      })),
    },
    {
      says: 'ignores the age of values',
      finds: /without a fresh message|has a time without values|of undefined/,
      profile: planted(ferroamp, ({ handle: take, read }) => {
        let latest = 0;
        return {
          handle(message) {
            if (!message.isRetained) latest = message.at;
            return take(message);
          },
          read: () => read(latest),
        };
      }),
    },
    {
      says: 'throws',
      finds: /threw SyntaxError/,
      profile: planted(ferroamp, ({ handle: take }) => ({
        handle(message) {
          JSON.parse(new TextDecoder().decode(message.payload));
          return take(message);
        },
      })),
    },
  ])
    test(`the fuzz test detects a listener that ${says}`, () => {
      const { wrong } = fuzzMqtt({ seed: 1, cases: 5000, profiles: [profile] });
      assert.ok(
        wrong.some((fault) => finds.test(fault)),
        wrong.join('\n'),
      );
    });
});

test('the memory of a listener does not grow with the number of devices', () => {
  const listeners = [ferroamp.listen(), ambibox.listen(), ferroampDc2.listen()];
  const feed = (from: number, to: number): void => {
    for (let id = from; id < to; id++) {
      const payload = Buffer.from(`{"id":{"val":"${id}"},"ubat":{"val":1},"ibat":{"val":1}}`);
      for (const listener of listeners) {
        for (const topic of ['extapi/data/eso', `device/evCharger/${id}/soc`, `dc2/connector/${id}/ev/soc`]) {
          const isJson = topic.startsWith('extapi');
          listener.handle({ topic, payload: isJson ? payload : Buffer.from('5'), at: id, isRetained: false });
        }
      }
    }
  };
  feed(0, 1000);
  const before = heldBytes();
  feed(1000, 20_000);
  const grownBytes = heldBytes() - before;
  assert.ok(grownBytes < 1_000_000, `${grownBytes} bytes`);
});
