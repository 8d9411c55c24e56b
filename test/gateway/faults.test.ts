import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind } from '#sim/faults.ts';
import { startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { until } from '../until.ts';
import { waitedForProcessorMs } from '../waited-for-processor.ts';
import { openGateway } from './open-gateway.ts';

/** Effect of a lasting fault: the device is lost and returns, its readings pause, or nothing changes. */
type Effect = 'is lost' | 'stops' | 'continues';

// Modbus TCP and MQTT cannot detect a flipped bit, so that fault is tried only where there is a checksum.
const cases: [victim: string, kind: FaultKind, effect: Effect][] = [
  ['sungrow', 'silence', 'is lost'],
  ['sungrow', 'late', 'is lost'],
  ['sungrow', 'wrong-unit', 'is lost'],
  ['sungrow', 'wrong-transaction', 'is lost'],
  ['sungrow', 'exception', 'is lost'],
  ['sungrow', 'cut-frame', 'is lost'],
  ['sungrow', 'garbage', 'is lost'],
  ['sungrow', 'close', 'is lost'],
  ['sungrow', 'flood', 'is lost'],
  ['sdm630-rtu', 'silence', 'is lost'],
  ['sdm630-rtu', 'wrong-unit', 'is lost'],
  ['sdm630-rtu', 'bit-flip', 'is lost'],
  ['sdm630-rtu', 'garbage', 'is lost'],
  ['p1-dsmr5', 'silence', 'stops'],
  ['p1-dsmr5', 'bit-flip', 'stops'],
  ['p1-dsmr5', 'cut-frame', 'stops'],
  ['p1-dsmr5', 'garbage', 'stops'],
  ['p1-dsmr5', 'flood', 'continues'],
  ['p1-dsmr5', 'close', 'is lost'],
  ['ambibox', 'garbage', 'is lost'],
  ['ambibox', 'silence', 'is lost'],
  ['ambibox', 'close', 'is lost'],
  ['ferroamp', 'cut-frame', 'stops'],
  ['ferroamp', 'flood', 'continues'],
];

const others = ['victron', 'goodwe'];
const house = fixedHouse({ pv_W: -3100, battery_W: 900, charger_W: 2000, load_W: 700 });
const faultMs = 4000;
const lostAfterMs = 16_000; // at most, of those that only tell
const longestGapMs = 2000; // of readings every second
const lookMs = 300; // each is the latest for a second

/** The longest time that this process, with its gateways and devices, stood still. */
const standstill = monitorEventLoopDelay();
standstill.enable();

let opening: Promise<unknown> = Promise.resolve();

/** One after another: all at once would block their devices for longer than a gateway waits. */
function open(t: TestContext, players: string[]) {
  const opened = opening.then(() => openNext(t, players));
  opening = opened.catch(() => {});
  return opened;
}

async function openNext(t: TestContext, players: string[]) {
  const street = await startStreet({ portBase: 0, house, only: players });
  t.after(() => street.close());
  const gateway = await openGateway();
  t.after(() => gateway.close());
  const added = await Promise.all(
    street.players.map(async ({ name, connection, faults }) => {
      const add = () => gateway.call('POST', '/api/devices', connection);
      const { status, body } = await until(add, (said) => said.status !== 503); // other processes need the processor too
      assert.equal(status, 201, JSON.stringify(body));
      return { name, faults, sn: body.sn as string };
    }),
  );
  const of = async (sn: string) => {
    const { body } = await gateway.call('GET', '/api/devices');
    return body.devices.find((device: { sn: string }) => device.sn === sn);
  };
  const data = async (sn: string) => (await gateway.call('GET', `/api/devices/${sn}/data/json`)).body;
  return { named: (name: string) => added.find((player) => player.name === name)!, of, data };
}

type World = Awaited<ReturnType<typeof open>>;
type Reading = Record<string, { timestamp: number; read_time_ms: number } & Record<string, unknown>>;

/** Watches a device until it is stopped: every value that differs from the first, and the longest pause without standstills. */
function watch({ data }: World, sn: string) {
  const wrong = new Set<string>();
  const seen = new Map<number, number>(); // by the time of a reading: how long others had had the processor
  const note = (at: number) => void (seen.has(at) || seen.set(at, waitedForProcessorMs(process.pid)));
  const over = new AbortController();
  const watching = (async () => {
    const first = new Map<string, string>(); // chargers report their values one after another
    while (!over.signal.aborted) {
      const now: Reading = await data(sn);
      for (const [kind, { timestamp, read_time_ms, ...values }] of Object.entries(now)) {
        if (timestamp !== undefined) note(timestamp);
        for (const [field, value] of Object.entries(values)) {
          const [name, told] = [`${kind}.${field}`, JSON.stringify(value)];
          if (!first.has(name)) first.set(name, told);
          else if (first.get(name) !== told) wrong.add(`${name} ${told}`);
        }
      }
      await sleep(lookMs);
    }
  })();
  return async () => {
    over.abort();
    await watching;
    const moments = [...seen].toSorted(([one], [other]) => one - other);
    const gaps = moments.slice(1).map(([at, waited], index) => {
      const [before, waitedBefore] = moments[index]!;
      return at - before - Math.max(waited - waitedBefore, standstill.max / 1e6);
    });
    return { wrong: [...wrong], longestMs: Math.max(...gaps), last: moments.at(-1)![0] };
  };
}

/** Resolves when the device has been read twice more; chargers report their values one after another. */
async function untilReadTwice(world: World, sn: string): Promise<void> {
  for (let times = 0; times < 2; times++) {
    const { last_harvest } = await world.of(sn);
    await until(
      () => world.of(sn),
      (now) => now.last_harvest > last_harvest,
    );
  }
}

/** Whether no new reading is received; one that was in flight may be. */
async function isQuiet(world: World, sn: string): Promise<boolean> {
  const { last_harvest } = await world.of(sn);
  await sleep(faultMs / 2);
  return (await world.of(sn)).last_harvest === last_harvest;
}

suite('a device with a fault', { concurrency: true }, () => {
  for (const [name, kind, effect] of cases) {
    test(`${name}, ${kind}: it ${effect}${effect === 'continues' ? '' : ' and returns'}`, async (t) => {
      const world = await open(t, [name, ...others]);
      const { sn, faults } = world.named(name);
      for (const player of [name, ...others]) await untilReadTwice(world, world.named(player).sn);
      const watched = watch(world, sn);
      const bystanders = others.map((other) => watch(world, world.named(other).sn));
      const before = (await world.of(sn)).last_harvest;
      faults.set(kind);
      if (effect === 'is lost') {
        const { error } = await until(
          () => world.of(sn),
          ({ connected }) => !connected,
          2 * lostAfterMs,
        );
        assert.match(error, /\w+ .*[.?]$/);
      } else await sleep(faultMs);
      if (effect === 'stops') await until(() => isQuiet(world, sn));
      const during = await world.of(sn);
      assert.equal(during.connected, effect !== 'is lost');
      if (effect === 'continues') assert.ok(during.last_harvest > before);
      faults.clear();
      await until(
        () => world.of(sn),
        (now) => now.connected && now.last_harvest > during.last_harvest,
        13_000,
      );
      assert.deepEqual((await watched()).wrong, []);
      for (const stop of bystanders) {
        const { wrong, longestMs } = await stop();
        assert.deepEqual(wrong, []);
        assert.ok(longestMs < longestGapMs, `another device waited for ${longestMs} ms`);
      }
    });
  }

  for (const kind of ['silence', 'exception', 'wrong-unit'] as const) {
    test(`${kind} of one unit does not affect another one at the same address`, async (t) => {
      const world = await open(t, ['fronius', 'fronius-meter']);
      const [victim, meter] = [world.named('fronius'), world.named('fronius-meter')];
      const watched = [watch(world, victim.sn), watch(world, meter.sn)] as const;
      victim.faults.set(kind);
      await until(
        () => world.of(victim.sn),
        ({ connected }) => !connected,
        12_000,
      );
      assert.equal((await world.of(meter.sn)).connected, true);
      victim.faults.clear();
      await until(
        () => world.of(victim.sn),
        ({ connected }) => connected,
        13_000,
      );
      const [ofVictim, ofMeter] = [await watched[0](), await watched[1]()];
      assert.deepEqual([ofVictim.wrong, ofMeter.wrong], [[], []]);
      // They share one line: an unanswered request blocks it for a second.
      assert.ok(ofMeter.longestMs < 2 * longestGapMs, `the other unit waited for ${ofMeter.longestMs} ms`);
    });
  }
});
