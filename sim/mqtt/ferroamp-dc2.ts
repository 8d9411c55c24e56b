import type { HouseState } from '../house/state.ts';
import { type MqttDevice, type MqttDeviceOptions, parseCommand, startMqttDevice } from './mqtt-device.ts';

const login = { username: 'dc2', password: 'sim-dc2' };
const [max_W, max_A, carV] = [20_000, 50, 400];
const commandLifeMs = 60_000;

const stateOf = ({ isPlugged, charger_W }: HouseState): string => {
  if (!isPlugged) return 'Idle';
  return charger_W > 50 ? 'Charging' : charger_W < -50 ? 'Discharging' : 'Connected';
};

const kWh = (Wh: number): string => (Wh / 1000).toFixed(3);

/** Ferroamp DC2 V2X charger: a setpoint in percent, which applies once MQTT is the controller. */
export async function startFerroampDc2(options: MqttDeviceOptions): Promise<MqttDevice> {
  const { house, clock } = options;
  let isController = false;
  let untilMs = 0;

  function set(topic: string, value: unknown): void {
    if (topic === 'dc2/ui/control/controller') isController = value === 'MQTT';
    if (topic !== 'dc2/ui/control/power' || !isController || typeof value !== 'number') return;
    const percent = Math.min(100, Math.max(-100, value));
    untilMs = clock.now() + commandLifeMs;
    house.forceCharger({ charger_W: Math.round((percent / 100) * Math.min(max_W, carV * max_A)) }, untilMs);
  }

  return startMqttDevice(options, {
    login,
    mode: () => (clock.now() < untilMs ? 'forced' : 'self-consumption'),
    handleCommand(topic, payload, isRefused) {
      if (!isRefused && topic.startsWith('dc2/ui/control/'))
        set(topic, parseCommand<{ value: unknown }>(payload).value);
      return [];
    },
    report: (h) => {
      const amps = h.isPlugged ? h.charger_W / carV : 0;
      const topics = {
        'dc2/v2x/system': {
          Host: 'SIMDC2001',
          State: stateOf(h),
          Control: isController ? 'MQTT' : 'Local',
          'Charged energy': kWh(h.Wh.vehicleCharged),
          'Discharged energy': kWh(h.Wh.vehicleDischarged),
        },
        'dc2/v2x/pecc': {
          PECCStatus2: { measuredVoltage: h.isPlugged ? carV : 0, measuredCurrent: Number(amps.toFixed(3)) },
          PECCLimits1: { limitPowerMax: max_W },
          PECCLimits3: { limitDischargePowerMax: max_W },
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
