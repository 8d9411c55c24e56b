import { derTypeOf, publicDerTypes } from '#contract/der.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { type FieldName, isCounter, type TelemetryField, telemetryFields } from '#contract/telemetry.ts';

/** A sensor of Home Assistant, in the abbreviations of its MQTT discovery. */
export type Sensor = {
  /** part of the unique id, which never changes */
  id: string;
  name: string;
  dev_cla: string;
  stat_cla: 'measurement' | 'total_increasing';
  unit_of_meas: string;
  sug_dsp_prc: number;
  val_tpl: string;
  ent_cat?: 'diagnostic';
};

type Classes = Pick<Sensor, 'dev_cla' | 'stat_cla' | 'unit_of_meas' | 'sug_dsp_prc'>;

/** With the conversion from our unit, as a Jinja expression. */
type Shown = Classes & { convert?(value: string): string };

const measured = (dev_cla: string, unit_of_meas: string, sug_dsp_prc: number): Classes => ({
  dev_cla,
  stat_cla: 'measurement',
  unit_of_meas,
  sug_dsp_prc,
});

// MQTT sensors cannot suggest another unit, so Wh are converted to kWh here.
const toKilo = (value: string): string => `${value} / 1000`;

const power = measured('power', 'W', 0);
const charge: Shown = { ...measured('battery', '%', 0), convert: (value) => `(${value} * 100) | round(1)` };
const storedEnergy: Shown = { ...measured('energy_storage', 'kWh', 2), convert: toKilo };
const countedEnergy: Shown = { ...storedEnergy, dev_cla: 'energy', stat_cla: 'total_increasing' };

const byUnit: Record<string, Shown> = {
  W: power,
  V: measured('voltage', 'V', 1),
  A: measured('current', 'A', 2),
  Hz: measured('frequency', 'Hz', 2),
  '°C': measured('temperature', '°C', 1),
};

function shownAs({ name, unit }: TelemetryField): Shown {
  if (unit === null) return charge;
  const shown = byUnit[unit];
  if (shown) return shown;
  // A session restarts at zero, which Home Assistant accepts for total_increasing.
  return isCounter(name) || name.startsWith('session_') ? countedEnergy : storedEnergy;
}

const isDiagnostic = ({ name, unit }: TelemetryField): boolean =>
  ['V', 'A', 'Hz', '°C'].includes(unit ?? '') || /^(rated_power|capacity)_/.test(name);

/** Renders unknown, not zero, if the message does not contain the field. */
const template = (field: string, expression: string): string =>
  `{{ ${expression} if value_json.${field} is defined else none }}`;

type Derived = { id: string; says: string; expression: string };

const charging: Derived[] = [
  { id: 'charging_W', says: 'charging power', expression: '[0, value_json.W] | max' },
  { id: 'discharging_W', says: 'discharging power', expression: '[0, -value_json.W] | max' },
];

/** Non-negative powers for Home Assistant, whose sign convention differs from ours. */
const derivedFromPower: Record<DerKind, readonly Derived[]> = {
  pv: [{ id: 'generation_W', says: 'generation', expression: '[0, -value_json.W] | max' }],
  battery: charging,
  meter: [],
  v2x_charger: charging,
};

const wordsOf = ({ description }: TelemetryField): string => {
  const [words = description] = description.split(/[;,]| as a | since /);
  return words.charAt(0).toLowerCase() + words.slice(1);
};

const nameOfKind = (kind: DerKind): string =>
  publicDerTypes.find(({ id }) => id === derTypeOf(kind))?.display_name ?? kind;

/** Returns the sensors of a DER with these fields, in a stable order. */
export function sensorsOf(kind: DerKind, names: readonly FieldName[]): Sensor[] {
  const fields = telemetryFields.filter((field) => names.some((name) => name === field.name));
  const derived = names.includes('W') ? derivedFromPower[kind] : [];
  return [...fields.map((field) => fieldSensor(kind, field)), ...derived.map((one) => derivedSensor(kind, one))];
}

function fieldSensor(kind: DerKind, field: TelemetryField): Sensor {
  const { convert = (value: string) => value, ...shown } = shownAs(field);
  return {
    id: field.name,
    name: `${nameOfKind(kind)} ${wordsOf(field)}`,
    ...shown,
    val_tpl: template(field.name, convert(`value_json.${field.name}`)),
    ...(isDiagnostic(field) && { ent_cat: 'diagnostic' }),
  };
}

const derivedSensor = (kind: DerKind, { id, says, expression }: Derived): Sensor => ({
  id,
  name: `${nameOfKind(kind)} ${says}`,
  ...power,
  val_tpl: template('W', expression),
});
