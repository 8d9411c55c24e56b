import type { Bank } from '../bank.ts';
import { chain, sunspecControl } from '../sunspec/chain.ts';
import * as model from '../sunspec/models.ts';

const ratings = { rated_W: 10_000, battery_W: 5000 };
const capacity_Wh = 10_000;

const controlled = (models: ReturnType<typeof chain>) => ({
  unit: 1,
  holding: models.table,
  settings: models.settings,
  control: sunspecControl(models, ratings),
});

/** A hybrid inverter that follows the standard, with integers or floats in its inverter model. */
export function sunspec(serial: string, inverter: 103 | 113 = 103): Bank {
  const models = chain([
    model.common('SIM SunSpec', `Hybrid ${inverter} SIM`, serial, 66),
    inverter === 103 ? model.inverter103 : model.inverter113,
    model.nameplate120(ratings.rated_W, capacity_Wh),
    model.controls123,
    model.inputs160(model.pvInputs),
    model.storage124(ratings.battery_W),
    model.meter203(1),
    model.battery802(capacity_Wh, ratings.battery_W),
  ]);
  return {
    ...controlled(models),
    profile: 'sunspec',
    title: 'SunSpec hybrid inverter',
    identification: ['SIM SunSpec', `Hybrid ${inverter} SIM`, '1.0'],
    isMirrored: true,
  };
}

/** With a battery it has four inputs, which moves the models after model 160. */
export function froniusGen24(serial: string): Bank {
  const models = chain([
    model.common('Fronius', 'Symo GEN24 10.0 SIM', serial),
    model.inverter113,
    model.nameplate120(ratings.rated_W, capacity_Wh),
    model.controls123,
    model.inputs160([...model.pvInputs, ...model.batteryInputs]),
    model.storage124(ratings.battery_W),
  ]);
  return { ...controlled(models), profile: 'fronius', title: 'Fronius Symo GEN24 with battery' };
}

export const froniusSmartMeter = (serial: string): Bank => ({
  profile: 'fronius_smart_meter',
  title: 'Fronius Smart Meter',
  unit: 200,
  holding: chain([model.common('Fronius', 'Smart Meter 63A SIM', serial), model.meter213]).table,
});
