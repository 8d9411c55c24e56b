import type { HouseState } from '../house/state.ts';
import { type MqttPlayer, type PlayerOptions, startMqttPlayer } from './publisher.ts';

const login = { username: 'dc2', password: 'sim-dc2' };
const serial = 'SIMDC2001';
const [most_W, most_A, carV] = [20_000, 50, 400];
const commandLifeMs = 60_000;

const stateOf = ({ isPlugged, charger_W }: HouseState): string => {
  if (!isPlugged) return 'Idle';
  return charger_W > 50 ? 'Charging' : charger_W < -50 ? 'Discharging' : 'Connected';
};

const kWh = (Wh: number): string => (Wh / 1000).toFixed(3);

type Setting = { value?: unknown };

/** Ferroamp DC2 V2X charger: a set point in percent, which counts once MQTT is the controller. */
export async function startFerroampDc2(options: PlayerOptions): Promise<MqttPlayer> {
  const { house, clock } = options;
  let isController = false;
  let untilMs = 0;

  function set(topic: string, value: unknown): void {
    if (topic === 'dc2/ui/control/controller') isController = value === 'MQTT';
    if (topic !== 'dc2/ui/control/power' || !isController || typeof value !== 'number') return;
    const percent = Math.min(100, Math.max(-100, value));
    untilMs = clock.now() + commandLifeMs;
    house.forceCharger({ charger_W: Math.round((percent / 100) * Math.min(most_W, carV * most_A)) }, untilMs);
  }

  return startMqttPlayer(options, {
    login,
    mode: () => (clock.now() < untilMs ? 'forced' : 'self-consumption'),
    obey(topic, payload, isRefused) {
      if (!isRefused && topic.startsWith('dc2/ui/control/')) set(topic, parse(payload).value);
      return [];
    },
    tell: (h) => {
      const amps = h.isPlugged ? h.charger_W / carV : 0;
      const topics = {
        'dc2/v2x/system': {
          Host: serial,
          State: stateOf(h),
          Control: isController ? 'MQTT' : 'Local',
          'Charged energy': kWh(h.Wh.vehicleCharged),
          'Discharged energy': kWh(h.Wh.vehicleDischarged),
        },
        'dc2/v2x/pecc': {
          PECCStatus2: { measuredVoltage: h.isPlugged ? carV : 0, measuredCurrent: Number(amps.toFixed(3)) },
          PECCLimits1: { limitPowerMax: most_W },
          PECCLimits3: { limitDischargePowerMax: most_W },
        },
        'dc2/v2x/secc': {
          VehicleStatus: {
            batteryStateOfCharge: h.isPlugged ? Math.round(h.vehicle_soc_fract * 100) : null,
            evConnectionState: h.isPlugged ? 'energyTransferAllowed' : 'disconnected',
          },
        },
        'dc2/v2x/psu': {
          'Measured values': {
            'Battery Voltage': h.isPlugged ? carV : 0,
            'Battery Current': Number(amps.toFixed(3)),
          },
        },
      };
      return Object.entries(topics).map(([topic, content]) => ({ topic, payload: JSON.stringify(content) }));
    },
  });
}

function parse(payload: string): Setting {
  try {
    return (JSON.parse(payload) ?? {}) as Setting;
  } catch {
    return {}; // as the charger, which says nothing to what it does not understand
  }
}
