import type { Bank } from '../bank.ts';
import { chain, sunspecControl } from '../sunspec/chain.ts';
import {
  battery802,
  batteryInputs,
  common,
  controls123,
  inputs160,
  inverter103,
  inverter113,
  meter203,
  meter213,
  nameplate120,
  pvInputs,
  storage124,
} from '../sunspec/models.ts';

const ratings = { rated_W: 10_000, battery_W: 5000 };
const capacity_Wh = 10_000;

/** A hybrid inverter that follows the standard, with integers or floats in its inverter model. */
export function sunspec(serial: string, inverter: 103 | 113 = 103): Bank {
  const models = chain([
    common('SIM SunSpec', `Hybrid ${inverter} SIM`, serial, 66),
    inverter === 103 ? inverter103 : inverter113,
    nameplate120(ratings.rated_W, capacity_Wh),
    controls123,
    inputs160(pvInputs),
    storage124(ratings.battery_W),
    meter203(1),
    battery802(capacity_Wh, ratings.battery_W),
  ]);
  return {
    profile: 'sunspec',
    title: 'SunSpec hybrid inverter',
    unit: 1,
    identification: ['SIM SunSpec', `Hybrid ${inverter} SIM`, '1.0'],
    isMirrored: true,
    holding: models.table,
    settings: models.settings,
    control: sunspecControl(models, ratings),
  };
}

/** With a battery it has four inputs, which moves the models after model 160. */
export function froniusGen24(serial: string): Bank {
  const models = chain([
    common('Fronius', 'Symo GEN24 10.0 SIM', serial),
    inverter113,
    nameplate120(ratings.rated_W, capacity_Wh),
    controls123,
    inputs160([...pvInputs, ...batteryInputs]),
    storage124(ratings.battery_W),
  ]);
  return {
    profile: 'fronius',
    title: 'Fronius Symo GEN24 with battery',
    unit: 1,
    holding: models.table,
    settings: models.settings,
    control: sunspecControl(models, ratings),
  };
}

export const froniusSmartMeter = (serial: string): Bank => ({
  profile: 'fronius_smart_meter',
  title: 'Fronius Smart Meter',
  unit: 200,
  holding: chain([common('Fronius', 'Smart Meter 63A SIM', serial), meter213]).table,
});
