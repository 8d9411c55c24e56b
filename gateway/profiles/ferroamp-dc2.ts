import type { FieldName } from '#contract/telemetry.ts';
import { alignCurrents } from './current-signs.ts';
import { createValueStore, type Measured, phaseLimits, plausible, plausibleValues } from './mqtt-values.ts';
import { isId, parseNumber, parseObject, parseText, valueAt } from './payload.ts';
import type { MqttListener, MqttProfile } from './profile.ts';

// The charger runs its own broker. Newer firmware publishes JSON objects, older firmware a topic per value below
// dc2/connector/{n}/. It has no AC side: its power is that of the car, charging positive.
type Known = number | string;
type Point = { name: string; path: readonly string[]; read: (value: unknown) => Known | undefined };

const staleAfterMs = 15_000;
const slowHoldMs = 600_000;
const idleBelowW = 50;
const rated_power_W = 20_000;

const parse =
  (field: FieldName, scale = 1) =>
  (value: unknown): number | undefined => {
    const number = parseNumber(value);
    return number === undefined ? undefined : plausible(field, number * scale);
  };

const wattHoursIn: Record<string, number> = { '': 1000, kwh: 1000, wh: 1, mwh: 1e6 };

/** Parses the energy of the session into Wh. The charger sends text, in kWh unless a unit follows the number. */
function sessionEnergy(value: unknown): number | undefined {
  const [, number, unit = ''] = /^([^ a-z]+) ?([kM]?Wh)?$/i.exec(String(value).trim()) ?? [];
  return parse('session_charge_Wh', wattHoursIn[unit.toLowerCase()])(number);
}

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 64 && value !== '' ? value : undefined;

const point = (name: string, read: Point['read'], ...path: string[]): Point => ({ name, path, read });

const system = [
  point('serial', (value) => (isId(value) ? value : undefined), 'Host'),
  point('state', word, 'State'),
  point('charged', sessionEnergy, 'Charged energy'),
  point('discharged', sessionEnergy, 'Discharged energy'),
];

const pecc = [
  point('pecc V', parse('dc_V'), 'PECCStatus2', 'measuredVoltage'),
  point('pecc A', parse('dc_A'), 'PECCStatus2', 'measuredCurrent'),
  point('charge limit', parse('W'), 'PECCLimits1', 'limitPowerMax'),
  point('discharge limit', parse('W'), 'PECCLimits3', 'limitDischargePowerMax'),
];

const objects: Record<string, readonly Point[]> = {
  'dc2/system': system,
  'dc2/v2x/system': system,
  'dc2/pecc': pecc,
  'dc2/v2x/pecc': pecc,
  'dc2/v2x/secc': [
    point('soc', parse('vehicle_soc_fract', 0.01), 'VehicleStatus', 'batteryStateOfCharge'),
    point('connection', word, 'VehicleStatus', 'evConnectionState'),
  ],
  'dc2/v2x/psu': [
    point('psu V', parse('dc_V'), 'Measured values', 'Battery Voltage'),
    point('psu A', parse('dc_A'), 'Measured values', 'Battery Current'),
  ],
};

const scalars: Record<string, Point> = {
  'pe/measured_voltage': point('connector V', parse('dc_V')),
  'pe/measured_current': point('connector A', parse('dc_A')),
  'em/transferred_energy': point('transferred', sessionEnergy), // in the direction of the power
  'ev/soc': point('soc', parse('vehicle_soc_fract', 0.01)),
  'ev/id_state': point('mating', word),
  'ev/limits/max_power': point('charge limit', parse('W')),
  'ev/limits/max_discharge_power': point('discharge limit', parse('W')),
};

const meters = ['pecc', 'psu', 'connector']; // the first that is fresh is used
const plugged = ['connected', 'energyTransferAllowed', 'mated', 'mated_ev_aux', 'mated_evse_aux'];

const states: readonly [RegExp, status: string][] = [
  [/error|fault/i, 'error'],
  [/discharging/i, 'discharging'],
  [/charging/i, 'charging'],
  [/disconnected|idle|available/i, 'idle'],
  [/connected/i, 'suspended'],
];

function statusOf(state: Known | undefined, W: number, isPlugged: boolean | undefined): string {
  const reported = states.find(([form]) => form.test(String(state ?? '')))?.[1];
  if (reported) return reported;
  if (Math.abs(W) > idleBelowW) return W > 0 ? 'charging' : 'discharging';
  return isPlugged ? 'suspended' : 'idle';
}

function listen(): MqttListener {
  const memory = createValueStore<string, Known>();
  let followed: string | undefined; // the connector of the first message

  /** Stores all valid values; returns true if one is a new voltage or current. */
  function store(points: readonly Point[], found: (point: Point) => unknown, at: number | undefined): boolean {
    let hasPower = false;
    for (const point of points) {
      const value = point.read(found(point));
      if (value === undefined) continue;
      memory.put(point.name, value, at);
      hasPower ||= / [VA]$/.test(point.name);
    }
    return hasPower && at !== undefined;
  }

  function scalarPoint(topic: string): Point | undefined {
    const [, connector, name = ''] = /^dc2\/connector\/(\d{1,2})\/(.{1,64})$/.exec(topic) ?? [];
    if (connector === undefined || !Object.hasOwn(scalars, name)) return undefined;
    followed ??= connector;
    return connector === followed ? scalars[name] : undefined;
  }

  const numeric = (name: string, now: number, maxAgeMs: number): Measured<number> | undefined => {
    const found = memory.measured(name, now, maxAgeMs);
    return typeof found?.value === 'number' ? { value: found.value, at: found.at } : undefined;
  };

  function power(now: number): { dc_V: number; dc_A: number; dc_W: number; at: number } | undefined {
    for (const meter of meters) {
      const [volts, amperes] = [numeric(`${meter} V`, now, staleAfterMs), numeric(`${meter} A`, now, staleAfterMs)];
      if (!volts || !amperes) continue;
      const dc_W = plausible('dc_W', volts.value * amperes.value);
      if (dc_W === undefined) continue;
      return { dc_V: volts.value, dc_A: amperes.value, dc_W, at: Math.max(volts.at, amperes.at) };
    }
    return undefined;
  }

  function session(dc_W: number, now: number): Partial<Record<FieldName, number | undefined>> {
    const value = (name: string): number | undefined => numeric(name, now, slowHoldMs)?.value;
    const transferred = value('transferred');
    return {
      session_charge_Wh: value('charged') ?? (dc_W >= 0 ? transferred : undefined),
      session_discharge_Wh: value('discharged') ?? (dc_W < 0 ? transferred : undefined),
    };
  }

  function isPlugged(): boolean | undefined {
    const connection = memory.known('connection') ?? memory.known('mating');
    return connection === undefined ? undefined : plugged.includes(String(connection));
  }

  return {
    handle({ topic, payload, at, isRetained }) {
      const measuredAt = isRetained ? undefined : at;
      const points = Object.hasOwn(objects, topic) ? objects[topic] : undefined;
      if (points && payload.length === 0) {
        for (const { name } of points) memory.forget(name);
        return false;
      }
      if (points) {
        const object = parseObject(payload);
        return store(points, ({ path }) => valueAt(object, ...path), measuredAt);
      }
      const scalar = scalarPoint(topic);
      const text = parseText(payload);
      if (scalar && text !== '') return store([scalar], () => text, measuredAt);
      if (scalar) memory.forget(scalar.name);
      return false;
    },
    read(now) {
      const found = power(now);
      if (!found) return undefined;
      const { dc_V, dc_A, dc_W } = found;
      return {
        v2x_charger: alignCurrents({
          status: statusOf(memory.known('state'), dc_W, isPlugged()),
          ...plausibleValues({
            W: dc_W,
            dc_W,
            dc_V,
            dc_A,
            vehicle_soc_fract: isPlugged() === false ? undefined : numeric('soc', now, slowHoldMs)?.value,
            ...session(dc_W, now),
            rated_power_W,
          }),
          ...phaseLimits(memory.knownNumber('charge limit'), memory.knownNumber('discharge limit')),
        }),
      };
    },
    at: (kind, now) => (kind === 'v2x_charger' ? power(now)?.at : undefined),
    serial: () => memory.known('serial')?.toString(),
    rated: () => ({ rated_power_W }),
  };
}

export const ferroampDc2: MqttProfile = {
  profile: 'ferroamp_dc2',
  display_name: 'Ferroamp DC2 V2X charger',
  make: 'Ferroamp',
  device_type: 'v2x_charger',
  connection_types: ['mqtt'],
  kinds: ['v2x_charger'],
  sources: ['srcfl/device-drivers ferroamp_dc2_v2x.lua'],
  subscribe: ['dc2/#'],
  staleAfterMs,
  serialWithinMs: 3000,
  listen,
};
