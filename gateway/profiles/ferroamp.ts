import type { DerValues, Values } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import type { MqttMessage } from '../links/mqtt/message.ts';
import { alignCurrents } from './current-signs.ts';
import { createFerroampUnits, type FerroampUnits } from './ferroamp-units.ts';
import { createMemory, createSourceClock, type Measured } from './mqtt-memory.ts';
import type { MqttListener, MqttProfile } from './mqtt-profile.ts';
import { entriesOf, isId, numberOf, objectOf, plausible, valuesOf } from './mqtt-values.ts';

// An EnergyHub publishes JSON objects whose entries are {"val": x} or {"L1": x, "L2": x, "L3": x}, numbers as text:
// ehub about the whole, once a second; eso for each battery converter and sso for each solar string, every 1 to 5 s;
// esm for each battery, once a minute.
type Kind = 'meter' | 'pv' | 'battery';
type Report = Record<string, unknown>;
type Source = { keys: readonly string[]; phase?: 'L1' | 'L2' | 'L3'; scale?: number };

const staleAfterMs = 30_000;
const socHoldMs = 60_000; // in about every ninth message of the hub
const patienceMs = 5000; // with a hub that has not spoken yet
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
    ...phases('iext', 'A'), // a magnitude; `il` is the current of the inverter
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

/** One entry of a report: its value, that of a phase, or the sum of all three phases. */
function entry(report: Report, key: string, phase?: Source['phase']): number | undefined {
  const parts = entriesOf(report[key]);
  if (!parts) return undefined;
  if (phase) return numberOf(parts[phase]);
  if (parts.val !== undefined) return numberOf(parts.val);
  const [l1, l2, l3] = [numberOf(parts.L1), numberOf(parts.L2), numberOf(parts.L3)];
  return l1 === undefined || l2 === undefined || l3 === undefined ? undefined : l1 + l2 + l3;
}

function pick(report: Report, field: FieldName, { keys, phase, scale = 1 }: Source): number | undefined {
  for (const key of keys) {
    const number = entry(report, key, phase);
    if (number !== undefined) return plausible(field, number * scale);
  }
  return undefined;
}

/** The time inside a report, like 2021-03-08T08:43:12UTC. */
function ownTime(report: Report): number | undefined {
  const text = entriesOf(report.ts)?.val;
  const parts = typeof text === 'string' && text.length < 40 && /^(\d{4}-\d\d-\d\dT[\d:.]+) ?(?:UTC|Z)$/.exec(text);
  const time = parts ? Date.parse(`${parts[1]}Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

const product = (a: number | undefined, b: number | undefined, scale: number): number | undefined =>
  a === undefined || b === undefined ? undefined : a * b * scale;

const positive = (field: FieldName, value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? plausible(field, value) : undefined;

const unitFields: Record<string, (report: Report) => Values> = {
  eso: (report) => {
    const [volts, amperes] = [entry(report, 'ubat'), entry(report, 'ibat')];
    return valuesOf({
      W: product(volts, amperes, -1), // device: discharge positive
      V: volts,
      A: product(amperes, -1, 1),
      SoC_nom_fract: product(entry(report, 'soc'), 0.01, 1),
      total_charge_Wh: product(entry(report, 'wbatcons'), wattHours, 1),
      total_discharge_Wh: product(entry(report, 'wbatprod'), wattHours, 1),
    });
  },
  sso: (report) => valuesOf({ W: product(entry(report, 'upv'), entry(report, 'ipv'), -1) }),
  esm: (report) =>
    valuesOf({ rated_power_W: entry(report, 'ratedPower'), capacity_Wh: entry(report, 'ratedCapacity') }),
};

function listen(): MqttListener {
  const hubClock = createSourceClock();
  const memory = createMemory<`${Kind}.${FieldName}`, number>();
  const units: Record<string, FerroampUnits> = {
    eso: createFerroampUnits(staleAfterMs),
    sso: createFerroampUnits(staleAfterMs),
    esm: createFerroampUnits(staleAfterMs),
  };
  let heardSince: number | undefined;
  let passedOver = 0;

  function takeHub(report: Report, message: MqttMessage): boolean {
    const at = hubClock.measuredAt(message, ownTime(report));
    let hasPower = false;
    for (const kind of ['meter', 'pv', 'battery'] as const) {
      for (const [field, source] of Object.entries(hub[kind]) as [FieldName, Source][]) {
        const value = pick(report, field, source);
        if (value === undefined) continue;
        memory.put(`${kind}.${field}`, value, at);
        hasPower ||= field === 'W';
      }
    }
    if (!hasPower) passedOver++;
    return hasPower && at === message.at;
  }

  function takeUnit(name: string, report: Report, message: MqttMessage): boolean {
    const id = entriesOf(report.id)?.val;
    const unitId = typeof id === 'number' ? String(id) : id;
    const values = unitFields[name]!(report);
    const put = isId(unitId) ? units[name]!.put(unitId, values, message, ownTime(report)) : undefined;
    if (!put) passedOver++;
    if (!put?.isNew || values.W === undefined) return false;
    // The hub sets the pace, and units that are new complete it; all of them do while it is silent.
    return hubPower('meter', message.at) ? put.isFirst : message.at - heardSince! >= patienceMs;
  }

  const hubPower = (kind: Kind, now: number): Measured<number> | undefined =>
    memory.measured(`${kind}.W`, now, staleAfterMs);

  function power(kind: Kind, now: number): Measured<number> | undefined {
    if (kind === 'meter') return hubPower(kind, now);
    if (kind === 'pv') return hubPower(kind, now) ?? units.sso!.sum('W', now);
    return units.eso!.sum('W', now) ?? hubPower(kind, now);
  }

  const measured = (kind: Kind, field: FieldName, now: number, maxAgeMs = staleAfterMs): number | undefined =>
    memory.measured(`${kind}.${field}`, now, maxAgeMs)?.value;

  const further: Record<Kind, (now: number) => Partial<Record<FieldName, number | undefined>>> = {
    meter: (now) =>
      Object.fromEntries(Object.keys(hub.meter).map((field) => [field, measured('meter', field as FieldName, now)])),
    pv: (now) => ({ total_generation_Wh: measured('pv', 'total_generation_Wh', now) }),
    battery: (now) => ({
      V: units.eso!.mean('V', now)?.value,
      A: units.eso!.sum('A', now)?.value,
      SoC_nom_fract:
        measured('battery', 'SoC_nom_fract', now, socHoldMs) ?? units.eso!.mean('SoC_nom_fract', now)?.value,
      total_charge_Wh: units.eso!.sum('total_charge_Wh', now)?.value,
      total_discharge_Wh: units.eso!.sum('total_discharge_Wh', now)?.value,
    }),
  };

  return {
    take(message) {
      heardSince ??= message.at;
      const name = /^extapi\/data\/(ehub|eso|sso|esm)$/.exec(message.topic)?.[1];
      const report = name === undefined ? undefined : objectOf(message.payload);
      if (name !== undefined && report) {
        return name === 'ehub' ? takeHub(report, message) : takeUnit(name, report, message);
      }
      passedOver++;
      return false;
    },
    read(now) {
      const read: DerValues = {};
      for (const kind of ['meter', 'pv', 'battery'] as const) {
        const values = valuesOf({ W: power(kind, now)?.value });
        if (values.W === undefined) continue;
        read[kind] = alignCurrents({ ...values, ...valuesOf(further[kind](now)), W: values.W });
      }
      return Object.keys(read).length > 0 ? read : undefined;
    },
    at: (kind, now) => (kind === 'v2x_charger' ? undefined : power(kind, now)?.at),
    serial: () => undefined, // the hub tells those of its units only
    rated() {
      const power = positive('rated_power_W', units.esm!.known('rated_power_W'));
      const capacity =
        positive('capacity_Wh', memory.known('battery.capacity_Wh')) ??
        positive('capacity_Wh', units.esm!.known('capacity_Wh'));
      return {
        ...(power !== undefined && { battery_rated_power_W: power }),
        ...(capacity !== undefined && { capacity_Wh: capacity }),
      };
    },
    passedOver: () => passedOver,
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
  subscribe: ['extapi/data/ehub', 'extapi/data/eso', 'extapi/data/sso', 'extapi/data/esm'],
  staleAfterMs,
  listen,
};
