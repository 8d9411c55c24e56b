import type { HouseState } from '../house/state.ts';
import type { HouseSizes } from '../house.ts';
import { type Message, type MqttDevice, type MqttDeviceOptions, startMqttDevice } from './mqtt-device.ts';

const charger = 'device/evCharger/SIM1';
const dcEfficiency = 0.96;
const carV = 400;
const targetLifeMs = 60_000; // without a new target, the charger reverts to its own plan

/** One topic per value, plain text; power + charge. */
function valuesOf(h: HouseState, target_W: number, sizes: HouseSizes): Record<string, string | number> {
  const { carCapacity_Wh, charger_W: max_W } = sizes;
  const dc_W = Math.round(h.charger_W * (h.charger_W > 0 ? dcEfficiency : 1 / dcEfficiency));
  const amps = (n: 0 | 1 | 2): string => (h.charger_W / 3 / h.phases[n].V).toFixed(2);
  const missing_Wh = (fract: number): number => Math.round((fract - h.vehicle_soc_fract) * carCapacity_Wh);
  return {
    connected: 'true',
    evConnected: String(h.isPlugged),
    sessionState: h.isPlugged ? 'CHARGE_LOOP' : 'IDLE',
    replugRequired: 'false',
    numberPhases: 3,
    frequency: h.Hz.toFixed(2),
    voltageAc: h.phases[0].V,
    voltageAc1: h.phases[0].V,
    voltageAc2: h.phases[1].V,
    voltageAc3: h.phases[2].V,
    currentAc: amps(0),
    currentAc1: amps(0),
    currentAc2: amps(1),
    currentAc3: amps(2),
    chargePowerMin: 1400,
    chargePowerMax: max_W,
    dischargePowerMin: 1400,
    dischargePowerMax: max_W,
    targetPower: target_W,
    energyAcImport: Math.round(h.Wh.vehicleCharged),
    energyAcExport: Math.round(h.Wh.vehicleDischarged),
    ...(h.isPlugged && {
      soc: (h.vehicle_soc_fract * 100).toFixed(1),
      powerDc: dc_W,
      voltageDc: carV,
      currentDc: (dc_W / carV).toFixed(2),
      minEnergyRequest: missing_Wh(0.2),
      maxEnergyRequest: missing_Wh(0.9),
    }),
    powerAc: h.charger_W, // last, so that the other values belong to the same time
  };
}

export async function startAmbibox(options: MqttDeviceOptions): Promise<MqttDevice> {
  const { house, clock } = options;
  let target_W = 0;
  let untilMs = 0;
  let session: { charged: number; discharged: number } | undefined;

  function setTarget(charger_W: number): void {
    target_W = charger_W;
    untilMs = clock.now() + targetLifeMs;
    house.forceCharger({ charger_W }, untilMs);
  }

  function sessionOf(h: HouseState): Record<string, number> {
    session = h.isPlugged
      ? (session ?? { charged: h.Wh.vehicleCharged, discharged: h.Wh.vehicleDischarged })
      : undefined;
    if (!session) return {};
    return {
      energyAcImportSession: Math.round(h.Wh.vehicleCharged - session.charged),
      energyAcExportSession: Math.round(h.Wh.vehicleDischarged - session.discharged),
    };
  }

  const handleCommand = (topic: string, payload: string, isRefused: boolean): Message[] => {
    const W = Number(payload);
    if (isRefused || payload.trim() === '' || !Number.isFinite(W)) return [];
    // Two drivers in the field use two topics with opposite signs; this charger supports both.
    if (topic === 'device/ess/0/targetPower') setTarget(Math.round(W));
    if (topic === `${charger}/targetPower`) setTarget(Math.round(-W / dcEfficiency));
    if (topic === 'device/ess/0/limitChargePower' && target_W > W) setTarget(Math.round(W));
    return [];
  };

  return startMqttDevice(options, {
    mode: () => (clock.now() < untilMs ? 'forced' : 'self-consumption'),
    handleCommand,
    report: (h) =>
      Object.entries({ ...sessionOf(h), ...valuesOf(h, target_W, house.sizes) }).map(([name, value]) => ({
        topic: `${charger}/${name}`,
        payload: String(value),
        retain: true,
      })),
  });
}
