import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { holding } from '../map/point.ts';
import { discover } from '../sunspec/discover.ts';
import { type Facts, need, needPositive } from './control-profile.ts';
import { type ModbusControl, readFacts } from './modbus-control.ts';
import { set, type Write } from './write.ts';

const revertS = 60;

// Counted from the id of their model.
const controls = { limitPct: 5, limitRevertS: 7, limitSwitch: 9, limitExponent: 23 }; // 123
const storage = { mode: 5, outRate: 12, inRate: 13, rateRevertS: 15, gridCharge: 17, rateExponent: 25 }; // 124
const bothLimited = 3;
const [forbidden, allowed] = [0, 1];

const placesOf = (places: Readonly<Record<string, number>>, start: number): Facts =>
  Object.fromEntries(Object.entries(places).map(([name, offset]) => [name, start + offset]));

async function learn(read: ReadRegisters): Promise<Facts> {
  const models = (await discover(read)).device?.models ?? [];
  const start = (id: number): number | undefined => models.find((model) => model.id === id)?.address;
  const [controlsAt, storageAt] = [start(123), start(124)];
  return {
    ...(controlsAt !== undefined && {
      ...placesOf(controls, controlsAt),
      ...(await readFacts({ limitPower: holding('i16', controlsAt + controls.limitExponent) }, read)),
    }),
    ...(storageAt !== undefined && {
      ...placesOf(storage, storageAt),
      ...(await readFacts(
        {
          charge_W: holding('u16', storageAt + 2, { exponent: storageAt + 18 }),
          discharge_W: holding('u16', storageAt + 2, { exponent: storageAt + 18 }),
          ratePower: holding('i16', storageAt + storage.rateExponent),
          gridChargeBefore: holding('u16', storageAt + storage.gridCharge),
        },
        read,
      )),
    }),
  };
}

/** Percent in the counts of the device. */
const percent = (fract: number, exponent: number): number => Math.round((fract * 100) / 10 ** exponent);

/** Charging from the grid, where somebody has forbidden it. */
const gridCharge = (facts: Facts, value: number): Write[] =>
  facts.gridChargeBefore === forbidden ? [set(need(facts, 'gridCharge'), value)] : [];

function batteryRates(W: number, facts: Facts): Write[] {
  const rate = percent(W / needPositive(facts, 'charge_W'), facts.ratePower ?? 0);
  // A limit below zero turns the direction round: with both limits at the same power it is neither more nor less.
  return [
    ...(W > 0 ? gridCharge(facts, allowed) : []),
    set(need(facts, 'inRate'), rate, { type: 'i16', tolerance: 1 }),
    set(need(facts, 'outRate'), 0 - rate, { type: 'i16', tolerance: 1 }),
    set(need(facts, 'rateRevertS'), revertS),
    set(need(facts, 'mode'), bothLimited),
  ];
}

const sunspecControl = (profile: string): ModbusControl => ({
  profile,
  confidence: 'medium',
  needsRated: ['pv'],
  refreshMs: 20_000,
  forgets: ['battery', 'pv'],
  revertsAfterMs: revertS * 1000,
  learn,
  battery: {
    set: ({ W }, facts) => batteryRates(W, facts),
    release: (facts) => [set(need(facts, 'mode'), 0), ...gridCharge(facts, forbidden)],
  },
  pv: {
    set: ({ W }, facts) => [
      set(need(facts, 'limitPct'), percent(W / needPositive(facts, 'rated_W'), facts.limitPower ?? 0)),
      set(need(facts, 'limitRevertS'), revertS),
      set(need(facts, 'limitSwitch'), 1),
    ],
    release: (facts) => [set(need(facts, 'limitSwitch'), 0)],
  },
});

export const sunspec = sunspecControl('sunspec');
export const fronius = sunspecControl('fronius');
