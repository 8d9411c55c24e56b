import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { readPoint, readText } from '../map/check.ts';
import type { Ratings } from '../map/device-map.ts';
import {
  type Ders,
  type Expression,
  type Fields,
  firstOf,
  leastOf,
  type PointOptions,
  solarFromAc,
  sum,
} from '../map/point.ts';
import type { SunSpecDevice } from './discover.ts';
import { inverterLayouts, type Layout, layouts, type Model, meterLayouts, pointAt, port, tracker } from './models.ts';

type Found = Expression | undefined;

// The standard leaves the sign of meters to the vendor, and Pixii uses the opposite sign in model 802.
const exportIsPositive = /^SolarEdge/i;
const chargingIsPositive = /^Pixii/i;

export async function dersOf(device: SunSpecDevice, read: ReadRegisters): Promise<Ders> {
  const find = (id: number): Model | undefined => device.models.find((model) => model.id === id);
  const isFroniusHybrid = /^Fronius/i.test(device.manufacturer) && find(124) !== undefined;
  const trackers = await mapInputs(find(160), tracker, (model) => trackersOf(model, isFroniusHybrid, read));
  const ports = await mapInputs(find(714), port, (model) => portsOf(model, read));
  const inputs = { trackers, ports };
  const battery = batteryOf(device, inputs);
  return withPower({ pv: pvOf(device, inputs, battery.W), battery, meter: meterOf(device) });
}

type MappedInput = { role: DcInput['role']; at: (name: string, options?: PointOptions) => Found };

/** The DC inputs of a device. If it has both models, they describe the same inputs. */
type DcInputs = { trackers: readonly MappedInput[]; ports: readonly MappedInput[] };

const withRole = (role: DcInput['role'], inputs: readonly MappedInput[]): MappedInput[] =>
  inputs.filter((input) => input.role === role);

async function mapInputs(
  model: Model | undefined,
  layout: (index: number) => Layout,
  inputsOf: (model: Model) => Promise<DcInput[]>,
): Promise<MappedInput[]> {
  if (!model) return [];
  return (await inputsOf(model)).map(({ index, role }) => ({
    role,
    at: (name, options) => pointAt(model, layout(index)[name], options),
  }));
}

function pvOf({ models }: SunSpecDevice, { trackers, ports }: DcInputs, battery_W: Found): Fields {
  const inverter = Object.keys(inverterLayouts)
    .map(Number)
    .toReversed() // 701 before the older models
    .flatMap((id) => models.filter((model) => model.id === id))[0];
  const at = (name: string, options?: PointOptions): Found =>
    inverter && pointAt(inverter, inverterLayouts[inverter.id]?.[name], options);
  const onTrackers = withRole('pv', trackers);
  const panels = onTrackers.length > 0 ? onTrackers : withRole('pv', ports);
  const hasOtherInputs = [...trackers, ...ports].some(({ role }) => role !== 'pv');
  if (hasOtherInputs && panels.length === 0) return {};
  const ac_W = at('W', { scale: -1 }); // includes the power of a battery
  const panels_W = sumOf(panels.map((panel) => panel.at('W', { scale: -1 })));
  return withValues({
    W: hasOtherInputs ? panels_W : first(panels_W, ac_W && (battery_W ? solarFromAc(ac_W, battery_W) : ac_W)),
    ...((panels_W || battery_W) && { ac_W }),
    dc_W: at('DCW', { scale: -1 }),
    total_generation_Wh: at('WH'),
    heatsink_C: at('TmpSnk'),
    Hz: at('Hz'),
    mppt1_V: panels[0]?.at('V'),
    mppt1_A: panels[0]?.at('A'),
    mppt2_V: panels[1]?.at('V'),
    mppt2_A: panels[1]?.at('A'),
  });
}

function batteryOf({ manufacturer, models }: SunSpecDevice, { trackers, ports }: DcInputs): Fields {
  const at = pointsIn(models);
  const sign = chargingIsPositive.test(manufacturer) ? 1 : -1;
  const batteries = withRole('battery', ports);
  const total = (name: string, options?: PointOptions): Found => sumOf(batteries.map((port) => port.at(name, options)));
  const flows = [
    ...withRole('charging', trackers).map((tracker) => tracker.at('W')),
    ...withRole('discharging', trackers).map((tracker) => tracker.at('W', { scale: -1 })),
  ];
  return withValues({
    W: first(total('W', { scale: -1 }), at(802, 'W', { scale: sign }), sumOf(flows)),
    V: first(batteries[0]?.at('V'), at(802, 'V'), at(124, 'InBatV')),
    A: first(total('A', { scale: -1 }), at(802, 'A', { scale: sign })),
    SoC_nom_fract: first(
      at(713, 'SoC', { scale: 0.01 }),
      at(802, 'SoC', { scale: 0.01 }),
      at(124, 'ChaState', { scale: 0.01 }),
    ),
    total_charge_Wh: total('WhAbs'),
    total_discharge_Wh: total('WhInj'),
  });
}

function meterOf({ manufacturer, models }: SunSpecDevice): Fields {
  const model = models.find(({ id }) => meterLayouts[id]);
  if (!model) return {};
  const at = (name: string, scale = 1): Found => pointAt(model, meterLayouts[model.id]?.[name], { scale });
  const sign = exportIsPositive.test(manufacturer) ? -1 : 1;
  const perPhase = (unit: 'W' | 'V' | 'A', name: string, scale = 1) => ({
    [`L1_${unit}`]: at(`${name}A`, scale),
    [`L2_${unit}`]: at(`${name}B`, scale),
    [`L3_${unit}`]: at(`${name}C`, scale),
  });
  return withValues({
    W: at('W', sign),
    ...perPhase('W', 'Wph', sign),
    ...perPhase('V', 'PhVph'),
    ...perPhase('A', 'Aph'),
    Hz: at('Hz'),
    total_import_Wh: at('TotWhImp'),
    total_export_Wh: at('TotWhExp'),
  });
}

export function ratingsOf({ models }: SunSpecDevice): Ratings {
  const at = pointsIn(models);
  return withValues({
    rated_power_W: first(at(702, 'WMaxRtg'), at(120, 'WRtg'), at(121, 'WMax')),
    battery_rated_power_W: combined(leastOf, [at(702, 'WChaRteMaxRtg'), at(802, 'WDisChaRteMax'), at(124, 'WChaMax')]),
    capacity_Wh: first(at(713, 'WHRtg'), at(802, 'WHRtg'), at(120, 'WHRtg')),
  });
}

type Layouts = typeof layouts;

const pointsIn =
  (models: readonly Model[]) =>
  <Id extends keyof Layouts>(id: Id, name: string & keyof Layouts[Id], options?: PointOptions): Found => {
    const model = models.find((each) => each.id === id);
    const layout: Layout = layouts[id];
    return model && pointAt(model, layout[name], options);
  };

/** Combines the expressions that the device has. */
function combined(combine: typeof sum, found: readonly Found[]): Found {
  const [one, ...others] = found.filter((expression) => expression !== undefined);
  return one && others.length > 0 ? combine(one, ...others) : one;
}

const first = (...found: Found[]): Found => combined(firstOf, found);
const sumOf = (found: readonly Found[]): Found => combined(sum, found);

/** Removes the fields that no model has. */
const withValues = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as typeof fields;

const withPower = (ders: Ders): Ders =>
  Object.fromEntries(Object.entries(ders).filter(([, fields]) => fields.W !== undefined));

/** One of several DC inputs, and what is connected to it. */
type DcInput = { index: number; role: 'pv' | 'charging' | 'discharging' | 'battery' | 'other' };

const maxInputs = 12;

const countOf = (model: Model, header: number, each: number, reported: number | undefined): number =>
  Math.min(maxInputs, Math.floor((model.length - header) / each), reported || maxInputs);

/** Reads the trackers of model 160. In a Fronius hybrid, one of them charges the battery and one discharges it. */
export async function trackersOf(model: Model, isFroniusHybrid: boolean, read: ReadRegisters): Promise<DcInput[]> {
  const { table, address } = model;
  const reported = await readPoint({ kind: 'point', table, type: 'u16', address: address + 8 }, {}, read);
  const count = countOf(model, 8, 20, reported);
  const inputs: DcInput[] = [];
  for (let index = 0; index < count; index++) {
    const name = await readText({ kind: 'text', table, address: address + 11 + 20 * index, words: 8 }, read);
    inputs.push({ index, role: roleOf(name ?? '', index, isFroniusHybrid && count === 4) });
  }
  return inputs;
}

function roleOf(name: string, index: number, hasBatteryLast: boolean): DcInput['role'] {
  if (/dis.?cha/i.test(name)) return 'discharging';
  if (/cha(?!n)/i.test(name)) return 'charging';
  if (hasBatteryLast && index >= 2) return index === 2 ? 'charging' : 'discharging';
  return 'pv';
}

const portRoles: readonly DcInput['role'][] = ['pv', 'battery'];

/** Reads the ports of model 714, which report their type. */
async function portsOf(model: Model, read: ReadRegisters): Promise<DcInput[]> {
  const { table, address } = model;
  const reported = await readPoint({ kind: 'point', table, type: 'u16', address: address + 4 }, {}, read);
  const inputs: DcInput[] = [];
  for (let index = 0; index < countOf(model, 18, 25, reported); index++) {
    const type = await readPoint({ kind: 'point', table, type: 'u16', address: address + 20 + 25 * index }, {}, read);
    inputs.push({ index, role: portRoles[type ?? -1] ?? 'other' });
  }
  return inputs;
}
