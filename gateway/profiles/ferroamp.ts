import type { DerValues, Values } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import type { MqttMessage } from '../links/mqtt/link.ts';
import { alignCurrents } from './current-signs.ts';
import { createFerroampUnits, type FerroampUnits } from './ferroamp-units.ts';
import { entriesOf } from './map/point.ts';
import { createDeviceClock, createValueStore, type Measured, plausible, plausibleValues } from './mqtt-values.ts';
import { asRecord, isId, parseNumber, parseObject, valueAt } from './payload.ts';
import type { MqttListener, MqttProfile } from './profile.ts';

// An EnergyHub publishes JSON objects whose entries are {"val": x} or {"L1": x, "L2": x, "L3": x}, with numbers as text: ehub for
// the whole system, once a second; eso for each battery converter and sso for each solar string, every 1 to 5 s; esm for each
// battery, once a minute.
type Kind = 'meter' | 'pv' | 'battery';
type UnitType = 'eso' | 'sso' | 'esm';
type Report = Record<string, unknown>;
type Source = { keys: readonly string[]; phase?: 'L1' | 'L2' | 'L3'; scale?: number };

const staleAfterMs = 30_000;
const socHoldMs = 60_000; // only about every ninth message of the hub contains it
const hubWaitMs = 5000; // for the first message of the hub
const wattHours = 1 / 3_600_000; // counters are in millijoules

const phases = (key: string, ending: 'W' | 'V' | 'A'): Partial<Record<FieldName, Source>> => ({
  [`L1_${ending}`]: { keys: [key], phase: 'L1' },
  [`L2_${ending}`]: { keys: [key], phase: 'L2' },
  [`L3_${ending}`]: { keys: [key], phase: 'L3' },
});

const hub: Record<Kind, Partial<Record<FieldName, Source>>> = {
  meter: {
    W: { keys: ['pext'] },
    ...phases('pext', 'W'),
    ...phases('ul', 'V'),
    ...phases('iext', 'A'), // magnitudes; `il` is the current of the inverter
    Hz: { keys: ['gridfreq'] },
    total_import_Wh: { keys: ['wextconsq3p', 'wextconsq'], scale: wattHours },
    total_export_Wh: { keys: ['wextprodq3p', 'wextprodq'], scale: wattHours },
  },
  pv: {
    W: { keys: ['ppv'], scale: -1 }, // device: generation positive
    total_generation_Wh: { keys: ['wpv'], scale: wattHours },
  },
  battery: {
    W: { keys: ['pbat'], scale: -1 }, // device: discharge positive
    SoC_nom_fract: { keys: ['soc'], scale: 0.01 },
    capacity_Wh: { keys: ['ratedcap'] },
  },
};

/** Returns the value of an entry: of one phase, of all, or the sum of the three phases. */
function entry(report: Report, key: string, phase?: Source['phase']): number | undefined {
  const parts = asRecord(report[key]);
  if (!parts) return undefined;
  if (phase) return parseNumber(parts[phase]);
  if (parts.val !== undefined) return parseNumber(parts.val);
  const [l1, l2, l3] = [parseNumber(parts.L1), parseNumber(parts.L2), parseNumber(parts.L3)];
  return l1 === undefined || l2 === undefined || l3 === undefined ? undefined : l1 + l2 + l3;
}

function pick(report: Report, field: FieldName, { keys, phase, scale = 1 }: Source): number | undefined {
  for (const key of keys) {
    const number = entry(report, key, phase);
    if (number !== undefined) return plausible(field, number * scale);
  }
  return undefined;
}

/** Parses the timestamp of a report, such as 2021-03-08T08:43:12UTC. */
function ownTime(report: Report): number | undefined {
  const text = valueAt(report, 'ts', 'val');
  const parts = typeof text === 'string' && text.length < 40 && /^(\d{4}-\d\d-\d\dT[\d:.]+) ?(?:UTC|Z)$/.exec(text);
  const time = parts ? Date.parse(`${parts[1]}Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const product = (a: number | undefined, b: number | undefined, scale: number): number | undefined =>
  a === undefined || b === undefined ? undefined : a * b * scale;

const positive = (field: FieldName, value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? plausible(field, value) : undefined;

const unitFields: Record<UnitType, (report: Report) => Values> = {
  eso: (report) => {
    const [volts, amperes] = [entry(report, 'ubat'), entry(report, 'ibat')];
    return plausibleValues({
      W: product(volts, amperes, -1), // device: discharge positive
      V: volts,
      A: product(amperes, -1, 1),
      SoC_nom_fract: product(entry(report, 'soc'), 0.01, 1),
      total_charge_Wh: product(entry(report, 'wbatcons'), wattHours, 1),
      total_discharge_Wh: product(entry(report, 'wbatprod'), wattHours, 1),
    });
  },
  sso: (report) => plausibleValues({ W: product(entry(report, 'upv'), entry(report, 'ipv'), -1) }),
  esm: (report) =>
    plausibleValues({ rated_power_W: entry(report, 'ratedPower'), capacity_Wh: entry(report, 'ratedCapacity') }),
};

const messageTypes = ['ehub', 'eso', 'sso', 'esm'] as const;

function listen(): MqttListener {
  const hubClock = createDeviceClock();
  const memory = createValueStore<`${Kind}.${FieldName}`, number>();
  const newUnits = () => createFerroampUnits(staleAfterMs);
  const units: Record<UnitType, FerroampUnits> = { eso: newUnits(), sso: newUnits(), esm: newUnits() };
  let startedAt: number | undefined;

  function handleHub(report: Report, message: MqttMessage): boolean {
    const at = hubClock.measuredAt(message, ownTime(report));
    let hasPower = false;
    for (const kind of ['meter', 'pv', 'battery'] as const) {
      for (const [field, source] of entriesOf(hub[kind])) {
        const value = pick(report, field, source);
        if (value === undefined) continue;
        memory.put(`${kind}.${field}`, value, at);
        hasPower ||= field === 'W';
      }
    }
    return hasPower && at === message.at;
  }

  function handleUnit(type: UnitType, report: Report, message: MqttMessage, startedAt: number): boolean {
    const id = valueAt(report, 'id', 'val');
    const unitId = typeof id === 'number' ? String(id) : id;
    const values = unitFields[type](report);
    const put = isId(unitId) ? units[type].put(unitId, values, message, ownTime(report)) : undefined;
    if (!put?.isNew || values.W === undefined) return false;
    // Readings follow the hub and the first message of a unit, or any unit while the hub is silent.
    return hubPower('meter', message.at) ? put.isFirst : message.at - startedAt >= hubWaitMs;
  }

  const hubPower = (kind: Kind, now: number): Measured<number> | undefined =>
    memory.measured(`${kind}.W`, now, staleAfterMs);

  function power(kind: Kind, now: number): Measured<number> | undefined {
    if (kind === 'meter') return hubPower(kind, now);
    if (kind === 'pv') return hubPower(kind, now) ?? units.sso.sum('W', now);
    return units.eso.sum('W', now) ?? hubPower(kind, now);
  }

  const measured = (kind: Kind, field: FieldName, now: number, maxAgeMs = staleAfterMs): number | undefined =>
    memory.measured(`${kind}.${field}`, now, maxAgeMs)?.value;

  const otherFields: Record<Kind, (now: number) => Partial<Record<FieldName, number | undefined>>> = {
    meter: (now) => Object.fromEntries(entriesOf(hub.meter).map(([field]) => [field, measured('meter', field, now)])),
    pv: (now) => ({ total_generation_Wh: measured('pv', 'total_generation_Wh', now) }),
    battery: (now) => ({
      V: units.eso.mean('V', now)?.value,
      A: units.eso.sum('A', now)?.value,
      SoC_nom_fract:
        measured('battery', 'SoC_nom_fract', now, socHoldMs) ?? units.eso.mean('SoC_nom_fract', now)?.value,
      total_charge_Wh: units.eso.sum('total_charge_Wh', now)?.value,
      total_discharge_Wh: units.eso.sum('total_discharge_Wh', now)?.value,
    }),
  };

  return {
    handle(message) {
      startedAt ??= message.at;
      const type = messageTypes.find((each) => message.topic === `extapi/data/${each}`);
      const report = type && parseObject(message.payload);
      if (!type || !report) return false;
      return type === 'ehub' ? handleHub(report, message) : handleUnit(type, report, message, startedAt);
    },
    read(now) {
      const read: DerValues = {};
      for (const kind of ['meter', 'pv', 'battery'] as const) {
        const values = plausibleValues({ W: power(kind, now)?.value });
        if (values.W === undefined) continue;
        read[kind] = alignCurrents({ ...values, ...plausibleValues(otherFields[kind](now)), W: values.W });
      }
      return Object.keys(read).length > 0 ? read : undefined;
    },
    at: (kind, now) => (kind === 'v2x_charger' ? undefined : power(kind, now)?.at),
    serial: () => undefined, // only its units have serial numbers
    rated() {
      const power = positive('rated_power_W', units.esm.known('rated_power_W'));
      const capacity =
        positive('capacity_Wh', memory.known('battery.capacity_Wh')) ??
        positive('capacity_Wh', units.esm.known('capacity_Wh'));
      return {
        ...(power !== undefined && { battery_rated_power_W: power }),
        ...(capacity !== undefined && { capacity_Wh: capacity }),
      };
    },
  };
}

export const ferroamp: MqttProfile = {
  profile: 'ferroamp',
  display_name: 'Ferroamp EnergyHub',
  make: 'Ferroamp',
  device_type: 'inverter',
  category: 'battery',
  connection_types: ['mqtt'],
  kinds: ['pv', 'battery', 'meter'],
  sources: ['srcfl/device-drivers ferroamp.lua', 'henricm/ha-ferroamp'],
  subscribe: messageTypes.map((type) => `extapi/data/${type}`),
  staleAfterMs,
  listen,
};
