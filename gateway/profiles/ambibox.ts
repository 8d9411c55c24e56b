import type { FieldName } from '#contract/telemetry.ts';
import { alignCurrents } from './current-signs.ts';
import { createValueStore, type Measured, phaseLimits, plausible, plausibleValues } from './mqtt-values.ts';
import { isId, parseBoolean, parseNumber, parseText } from './payload.ts';
import type { MqttListener, MqttProfile } from './profile.ts';

// One topic per value, device/evCharger/{id}/{name}, with a bare number or word; an empty payload deletes the value.
// W and dc_W keep the sign of the device, charging positive: the published drivers agree on that, while one integration
// measured on firmware 0.4.8 reports that charging is negative. Confidence: medium.
const staleAfterMs = 15_000;
const electricalHoldMs = 60_000; // published on change
const slowHoldMs = 600_000;
const idleBelowW = 50;
const maxChargers = 4;

const electrical: Record<string, FieldName> = {
  powerAc: 'W',
  currentAc: 'A',
  voltageAc: 'V',
  frequency: 'Hz',
  voltageAc1: 'L1_V',
  voltageAc2: 'L2_V',
  voltageAc3: 'L3_V',
  currentAc1: 'L1_A',
  currentAc2: 'L2_A',
  currentAc3: 'L3_A',
  powerDc: 'dc_W',
  voltageDc: 'dc_V',
  currentDc: 'dc_A',
};

const counters: Record<string, FieldName> = {
  energyAcImportSession: 'session_charge_Wh',
  energyAcExportSession: 'session_discharge_Wh',
  energyAcImport: 'total_charge_Wh',
  energyAcExport: 'total_discharge_Wh',
};

const car: Record<string, FieldName> = {
  soc: 'vehicle_soc_fract',
  minEnergyRequest: 'ev_min_energy_req_Wh', // negative: the car can supply energy
  maxEnergyRequest: 'ev_max_energy_req_Wh',
};

const measurements: Record<string, FieldName> = { ...electrical, ...counters, ...car };
const limits = [
  'chargePowerMin',
  'chargePowerMax',
  'dischargePowerMin',
  'dischargePowerMax',
  'numberPhases',
  'targetPower',
];
const flags = ['connected', 'evConnected', 'replugRequired'];

const topicForm = /^device\/evCharger\/([^/]+)\/([A-Za-z0-9]{1,32})$/;

type Known = number | boolean | string;

function parseValue(name: string, text: string): Known | undefined {
  const field = Object.hasOwn(measurements, name) ? measurements[name] : undefined;
  if (field === 'vehicle_soc_fract') return plausible(field, fractionOf(parseNumber(text)));
  if (field) return plausible(field, parseNumber(text));
  if (limits.includes(name)) return plausible('W', parseNumber(text));
  if (flags.includes(name)) return parseBoolean(text);
  return name === 'sessionState' && isId(text) ? text : undefined;
}

/** Values above 1 are percentages. */
const fractionOf = (number: number | undefined): number | undefined =>
  number !== undefined && number > 1 ? number / 100 : number;

/** States are published on change and retained, so they are valid for as long as the charger sends anything. */
function statusOf(W: number, known: (name: string) => Known | undefined): string | undefined {
  const session = String(known('sessionState') ?? '');
  if (known('connected') === false || known('replugRequired') === true || /error|fault/i.test(session)) return 'error';
  if (known('evConnected') === false) return 'available';
  if (session === 'CHARGE_LOOP') return Math.abs(W) > idleBelowW ? 'charging' : 'suspended'; // discharging has the same status
  return known('evConnected') === true ? 'preparing' : undefined;
}

const createCharger = () => createValueStore<string, Known>();

function listen(): MqttListener {
  const chargers = new Map<string, ReturnType<typeof createCharger>>();
  let followed: string | undefined; // the first charger that sent its power; others on the broker are other devices

  function chargerOf(id: string, isRetained: boolean) {
    const known = chargers.get(id);
    if (known || followed !== undefined) return known;
    if (chargers.size >= maxChargers) {
      if (isRetained) return undefined; // an active charger sends more messages
      const [oldest = ''] = chargers.keys();
      chargers.delete(oldest);
    }
    const charger = createCharger();
    chargers.set(id, charger);
    return charger;
  }

  function follow(id: string): void {
    followed = id;
    for (const other of chargers.keys()) if (other !== id) chargers.delete(other);
  }

  const charger = () => (followed === undefined ? undefined : chargers.get(followed));

  const power = (now: number): Measured<Known> | undefined => charger()?.measured('powerAc', now, staleAfterMs);

  function measured(
    names: Record<string, FieldName>,
    now: number,
    maxAgeMs: number,
  ): Partial<Record<FieldName, number>> {
    const found: Partial<Record<FieldName, number>> = {};
    for (const [name, field] of Object.entries(names)) {
      const value = charger()?.measured(name, now, maxAgeMs)?.value;
      if (typeof value === 'number') found[field] = value;
    }
    return found;
  }

  const limit = (name: string): number | undefined => charger()?.knownNumber(name);

  function rated(): { rated_power_W?: number } {
    const power = Math.max(limit('chargePowerMax') ?? 0, limit('dischargePowerMax') ?? 0);
    return power > 0 ? { rated_power_W: power } : {};
  }

  return {
    handle({ topic, payload, at, isRetained }) {
      const [, id = '', name = ''] = topicForm.exec(topic) ?? [];
      const addressed = isId(id) ? chargerOf(id, isRetained) : undefined;
      const text = parseText(payload);
      const value = text ? parseValue(name, text) : undefined;
      if (addressed && text === '') addressed.forget(name);
      if (!addressed || value === undefined) return false;
      addressed.put(name, value, isRetained ? undefined : at);
      const completes = name === 'powerAc' && !isRetained;
      if (completes && followed === undefined) follow(id);
      return completes;
    },
    read(now) {
      const W = power(now)?.value;
      const known = charger()?.known;
      if (typeof W !== 'number' || !known) return undefined;
      const seen = { ...measured(electrical, now, electricalHoldMs), W };
      const hasCar = known('evConnected') !== false;
      const status = statusOf(W, known);
      return {
        v2x_charger: alignCurrents({
          ...(status && { status }),
          ...plausibleValues({
            ...seen,
            ...phasePowers(seen),
            ...measured(counters, now, slowHoldMs),
            ...(hasCar && measured(car, now, slowHoldMs)),
            ...rated(),
          }),
          ...phaseLimits(limit('chargePowerMax'), limit('dischargePowerMax')),
        }),
      };
    },
    at: (kind, now) => (kind === 'v2x_charger' ? power(now)?.at : undefined),
    serial: () => (followed === undefined || /^\d{1,3}$/.test(followed) ? undefined : followed), // a short number is a position
    rated,
  };
}

/** Computes the power of each phase. Currents may be magnitudes, so all phases take the sign of the total power. */
function phasePowers({ W, L1_V, L1_A, L2_V, L2_A, L3_V, L3_A }: Partial<Record<FieldName, number>> & { W: number }) {
  const times = (volts: number | undefined, amperes: number | undefined): number | undefined =>
    volts === undefined || amperes === undefined ? undefined : Math.sign(W || 1) * Math.abs(volts * amperes);
  return { L1_W: times(L1_V, L1_A), L2_W: times(L2_V, L2_A), L3_W: times(L3_V, L3_A) };
}

export const ambibox: MqttProfile = {
  profile: 'ambibox',
  display_name: 'Ambibox ambiCHARGE V2X charger',
  make: 'Ambibox',
  device_type: 'v2x_charger',
  connection_types: ['mqtt'],
  kinds: ['v2x_charger'],
  sources: ['srcfl/device-drivers ambibox_v2x.lua', 'Ambibox device interface, section EV Charger'],
  subscribe: ['device/evCharger/#'],
  staleAfterMs,
  listen,
};
