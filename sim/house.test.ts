import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { hourMs } from '#contract/time.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { defaultConditions, type HouseState, startFrom } from './house/state.ts';
import { createHouse } from './house.ts';
import { fixedHouse } from './testing/fixed-house.ts';

const midsummer = Date.UTC(2025, 5, 21);

const houseFrom = (start: number, seed = 1) => {
  const clock = createFakeClock(start);
  return { clock, house: createHouse({ seed, clock }) };
};

const hours = (count: number): number[] => Array.from({ length: count }, (_, hour) => midsummer + hour * hourMs);

function assertBalanced(state: HouseState): void {
  const { meter_W, load_W, pv_W, battery_W, charger_W, phases, strings } = state;
  assert.equal(meter_W, load_W + pv_W + battery_W + charger_W);
  assert.equal(phases[0].W + phases[1].W + phases[2].W, meter_W);
  assert.equal(strings[0].W + strings[1].W, 0 - pv_W);
  assert.ok(pv_W <= 0 && load_W > 0);
  assert.ok(state.battery_soc_fract >= 0.04 && state.battery_soc_fract <= 1, `SoC ${state.battery_soc_fract}`);
  assert.ok(state.vehicle_soc_fract >= 0.04 && state.vehicle_soc_fract <= 1, `SoC ${state.vehicle_soc_fract}`);
}

suite('the house', () => {
  test('the meter is always the sum of load, PV, battery and charger, and counters only grow', () => {
    const pauses = fc.array(fc.integer({ min: 1, max: 5 * hourMs }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 365 * 24 }), pauses, (seed, startHour, pauses) => {
        let now = midsummer + startHour * hourMs;
        const { house } = houseFrom(now, seed);
        let before = house.at(now);
        for (const pause of pauses) {
          now += pause;
          const state = house.at(now);
          assertBalanced(state);
          for (const [name, Wh] of Object.entries(state.Wh)) {
            assert.ok(Wh >= before.Wh[name as keyof typeof before.Wh], `${name} went back`);
          }
          before = state;
        }
      }),
      { numRuns: 40 },
    );
  });

  test('the same seed gives the same values, however often they are read', () => {
    const [often, once] = [houseFrom(midsummer).house, houseFrom(midsummer).house];
    for (let now = midsummer; now < midsummer + hourMs; now += 777) often.at(now);
    assert.deepEqual(often.at(midsummer + hourMs), once.at(midsummer + hourMs));
    assert.notDeepEqual(houseFrom(midsummer, 2).house.at(midsummer + hourMs), once.at(midsummer + hourMs));
  });

  test('a summer day has a dark night, a bright noon, a car at night and a battery that follows the sun', () => {
    const { house } = houseFrom(midsummer);
    const day = hours(24).map((now) => house.at(now));
    assert.equal(day[0]!.pv_W, 0);
    assert.ok(Math.min(...day.map(({ pv_W }) => pv_W)) < -3000);
    assert.deepEqual([day[2]!.isPlugged, day[12]!.isPlugged, day[20]!.isPlugged], [true, false, true]);
    assert.ok(day.some(({ battery_W }) => battery_W > 500) && day.some(({ battery_W }) => battery_W < -100));
    assert.ok(day.some(({ charger_W }) => charger_W > 3000));
  });

  test('counters match the energy that was used', () => {
    const { house } = houseFrom(midsummer);
    const start = house.at(midsummer).Wh;
    let used_Wh = 0;
    for (let now = midsummer; now < midsummer + 24 * hourMs; now += 10_000) used_Wh += house.at(now).load_W / 360;
    const end = house.at(midsummer + 24 * hourMs).Wh;
    const grown = (name: keyof typeof end) => end[name] - start[name];
    const stored_Wh = grown('charged') - grown('discharged') + grown('vehicleCharged') - grown('vehicleDischarged');
    const counted_Wh = grown('imported') - grown('exported') + grown('generated') - stored_Wh;
    assert.ok(Math.abs(counted_Wh - used_Wh) < 0.1, `${counted_Wh} Wh counted, ${used_Wh} Wh used`);
  });

  test('commands apply until they expire, within the limits of the battery', () => {
    const noon = midsummer + 12 * hourMs;
    const { house, clock } = houseFrom(noon);
    house.force({ battery_W: 2345 }, noon + 60_000);
    assert.equal(house.at(noon + 30_000).battery_W, 2345);
    clock.set(noon + 60_000);
    assert.notEqual(house.at(noon + 60_000).battery_W, 2345);
    house.force({ battery_W: -99_999 });
    assert.equal(house.at(noon + 61_000).battery_W, -house.sizes.battery_W);
    house.force({ min_W: 0, max_W: 0 });
    assert.equal(house.at(noon + 62_000).battery_W, 0);
    house.force({ grid_W: -2000 });
    assert.equal(house.at(noon + 63_000).meter_W, -2000);
  });

  test('a command takes effect at the time it is given', () => {
    const { house, clock } = houseFrom(midsummer);
    house.force({ battery_W: 0 });
    clock.advance(hourMs);
    house.force({ battery_W: 1000 });
    clock.advance(hourMs);
    const grown = house.at(clock.now()).Wh.charged - house.at(clock.now()).Wh.discharged - 200_000;
    assert.ok(Math.abs(grown - 1000) < 0.01, `${grown} Wh`);
  });

  test('PV power and export are limited', () => {
    const noon = midsummer + 12 * hourMs;
    const { house } = houseFrom(noon);
    house.limitPv(1000);
    assert.ok(house.at(noon).pv_W >= -1000);
    house.limitPv(undefined);
    house.force({ battery_W: 0 });
    house.limitExport(250);
    const state = house.at(noon + 1000);
    assert.equal(state.meter_W, -250);
    assertBalanced(state);
  });

  test('self-consumption keeps a reserve in the battery; a command may use it', () => {
    const { house, clock } = houseFrom(midsummer + 18 * hourMs);
    clock.advance(9 * hourMs);
    const { battery_soc_fract } = house.at(clock.now());
    assert.ok(Math.abs(battery_soc_fract - 0.2) < 0.001, `${battery_soc_fract}`);
    house.force({ battery_W: -1000 });
    assert.equal(house.at(clock.now()).battery_W, -1000);
  });

  test('changed conditions apply from that time on, and can be reset', () => {
    const noon = midsummer + 12 * hourMs;
    const { house, clock } = houseFrom(noon);
    const own = house.at(noon);
    const played = (change: Parameters<typeof house.setConditions>[0]) => {
      house.setConditions(change);
      return house.at(clock.now());
    };
    const clear = played({ clouds: 0, sunHour: 12 });
    const overcast = played({ clouds: 1 });
    assert.ok(clear.pv_W < -6000 && Math.abs(overcast.pv_W / clear.pv_W - 0.2) < 0.001);
    assert.equal(played({ sunHour: 0 }).pv_W, 0);
    clock.advance(6 * hourMs);
    assert.equal(house.at(clock.now()).Wh.generated, own.Wh.generated, 'no sun, no energy');
    assert.equal(played({ sunHour: 12 }).pv_W, overcast.pv_W, 'the sun stands still');

    const usual_W = house.at(clock.now()).load_W;
    assert.equal(played({ extraLoad_W: 3000 }).load_W, usual_W + 3000);
    const charging = played({ isCarHome: true, carCharge_W: 5000 });
    assert.deepEqual([charging.isPlugged, charging.charger_W], [true, 5000]);
    assert.equal(played({ isCarHome: false }).charger_W, 0);
    assertBalanced(house.at(clock.now()));

    const { house: untouched } = houseFrom(clock.now());
    const { pv_W, load_W, isPlugged } = played({ ...defaultConditions });
    const { pv_W: ownPv_W, load_W: ownLoad_W, isPlugged: isOwnPlugged } = untouched.at(clock.now());
    assert.deepEqual([pv_W, load_W, isPlugged], [ownPv_W, ownLoad_W, isOwnPlugged]);
    assert.deepEqual(house.sky(clock.now()), untouched.sky(clock.now()));
  });

  test('continues from the given levels and counters', () => {
    const { house } = houseFrom(midsummer);
    const start = startFrom(house.at(midsummer + 7 * hourMs));
    const later = createFakeClock(midsummer + 7 * hourMs);
    assert.deepEqual(startFrom(createHouse({ seed: 1, clock: later, start }).at(later.now())), start);
  });

  test('a fixed house keeps its values and stays balanced', () => {
    const house = fixedHouse({ pv_W: -3000, battery_W: 1200, load_W: 700 });
    assert.deepEqual(house.at(1), { ...house.at(2), at: 1 });
    assert.equal(house.at(0).meter_W, -1100);
    house.force({ battery_W: -500 });
    house.limitPv(2000);
    assertBalanced(house.at(0));
    assert.equal(house.at(0).meter_W, -1800);
  });
});

suite('a year of the house', () => {
  const stockholm = { seed: 1, latitude: 59.3, longitude: 18.1, stepMs: 5 * 60_000 };

  /** Returns the energy of each counter from one time to another, kWh. */
  function energyOf(from: number, to: number): Record<string, number> {
    const house = createHouse({ ...stockholm, clock: { now: () => from } });
    const before = house.at(from).Wh;
    const after = house.at(to).Wh;
    const kwh = ([name, Wh]: [string, number]) => [name, (Wh - before[name as keyof typeof before]) / 1000];
    return Object.fromEntries(Object.entries(after).map(kwh));
  }

  test('has seasons: a dark January that is heated, and a June that exports', () => {
    const january = energyOf(Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1));
    const june = energyOf(Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 1));
    assert.ok(january.imported! > 3 * june.imported!, `${january.imported} and ${june.imported} kWh imported`);
    assert.ok(june.generated! > 8 * january.generated!, `${january.generated} and ${june.generated} kWh generated`);
    assert.ok(june.exported! > 300 && january.exported! < 5, `${january.exported} and ${june.exported} kWh exported`);
  });

  test('the meter changes every few seconds, also on a winter night while the car charges', () => {
    const midnight = Date.UTC(2026, 0, 14, 23);
    const house = createHouse({ ...stockholm, clock: { now: () => midnight } });
    const seen = Array.from({ length: 60 }, (_, n) => house.at(midnight + n * 5000));
    assert.ok(
      seen.every(({ charger_W }) => charger_W > 3000),
      'the car charges',
    );
    const still = seen.filter(({ meter_W }, n) => n > 0 && meter_W === seen[n - 1]!.meter_W).length;
    assert.ok(still <= 6, `the meter stood still ${still} of 59 times`);
  });
});
