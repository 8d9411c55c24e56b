import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { holding } from '../map/point.ts';
import { discover } from '../sunspec/discover.ts';
import { type Facts, getFact, getPositiveFact, type ModbusControl, readFacts } from './control-profile.ts';
import { set, type Write } from './write.ts';

const revertS = 60;

// Offsets from the id of the model.
const controls = { limitPct: 5, limitRevertS: 7, limitSwitch: 9, limitExponent: 23 }; // 123
const storage = { mode: 5, outRate: 12, inRate: 13, rateRevertS: 15, gridCharge: 17, rateExponent: 25 }; // 124
const bothLimited = 3;
const [forbidden, allowed] = [0, 1];

const addressesOf = (offsets: Readonly<Record<string, number>>, start: number): Facts =>
  Object.fromEntries(Object.entries(offsets).map(([name, offset]) => [name, start + offset]));

async function learn(read: ReadRegisters): Promise<Facts> {
  const models = (await discover(read)).device?.models ?? [];
  const start = (id: number): number | undefined => models.find((model) => model.id === id)?.address;
  const [controlsAt, storageAt] = [start(123), start(124)];
  return {
    ...(controlsAt !== undefined && {
      ...addressesOf(controls, controlsAt),
      ...(await readFacts({ limitPower: holding('i16', controlsAt + controls.limitExponent) }, read)),
    }),
    ...(storageAt !== undefined && {
      ...addressesOf(storage, storageAt),
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

/** Returns a percentage in units of the device. */
const percent = (fract: number, exponent: number): number => Math.round((fract * 100) / 10 ** exponent);

/** Changes the permission to charge from the grid, if it was forbidden before. */
const gridCharge = (facts: Facts, value: number): Write[] =>
  facts.gridChargeBefore === forbidden ? [set(getFact(facts, 'gridCharge'), value)] : [];

function batteryRates(W: number, facts: Facts): Write[] {
  const rate = percent(W / getPositiveFact(facts, 'charge_W'), facts.ratePower ?? 0);
  // A negative limit reverses the direction: with both limits at the same power, the battery has exactly that power.
  return [
    ...(W > 0 ? gridCharge(facts, allowed) : []),
    set(getFact(facts, 'inRate'), rate, { type: 'i16', tolerance: 1 }),
    set(getFact(facts, 'outRate'), 0 - rate, { type: 'i16', tolerance: 1 }),
    set(getFact(facts, 'rateRevertS'), revertS),
    set(getFact(facts, 'mode'), bothLimited),
  ];
}

const sunspecControl = (profile: string): ModbusControl => ({
  profile,
  confidence: 'medium',
  needsRated: ['pv'],
  refreshMs: 20_000,
  expiringParts: ['battery', 'pv'],
  revertsAfterMs: revertS * 1000,
  learn,
  battery: {
    set: ({ W }, facts) => batteryRates(W, facts),
    release: (facts) => [set(getFact(facts, 'mode'), 0), ...gridCharge(facts, forbidden)],
  },
  pv: {
    set: ({ W }, facts) => [
      set(getFact(facts, 'limitPct'), percent(W / getPositiveFact(facts, 'rated_W'), facts.limitPower ?? 0)),
      set(getFact(facts, 'limitRevertS'), revertS),
      set(getFact(facts, 'limitSwitch'), 1),
    ],
    release: (facts) => [set(getFact(facts, 'limitSwitch'), 0)],
  },
});

export const sunspec = sunspecControl('sunspec');
export const fronius = sunspecControl('fronius');
