import type { ReadRegisters } from '../../links/modbus/unit.ts';
import type { Ratings } from '../map/device-map.ts';
import {
  type Ders,
  type Fields,
  firstOf,
  leastOf,
  type PointOptions,
  type Reading,
  solarBehind,
  sum,
} from '../map/point.ts';
import type { SunSpecDevice } from './discover.ts';
import * as layouts from './models.ts';
import { type Layout, type Model, pointAt } from './models.ts';
import { type Part, portsOf, trackersOf } from './parts.ts';

type Found = Reading | undefined;

// The standard leaves the sign of a meter to the vendor, and readers of model 802 disagree with some.
const exportIsPositive = /^SolarEdge/i;
const chargingIsPositive = /^Pixii/i;

/** What the models of a device measure, in our fields. */
export async function dersOf(device: SunSpecDevice, read: ReadRegisters): Promise<Ders> {
  const find = (id: number): Model | undefined => device.models.find((model) => model.id === id);
  const isFroniusHybrid = /^Fronius/i.test(device.manufacturer) && find(124) !== undefined;
  const trackers = await mapped(find(160), layouts.tracker, (model) => trackersOf(model, isFroniusHybrid, read));
  const ports = await mapped(find(714), layouts.port, (model) => portsOf(model, read));
  const parts = { trackers, ports };
  const battery = batteryOf(device, parts);
  return filled({ pv: pvOf(device, parts, battery.W), battery, meter: meterOf(device) });
}

type MappedPart = { role: Part['role']; at: (name: string, options?: PointOptions) => Found };

/** What hangs on the direct-current side. A device with both models tells the same twice. */
type Parts = { trackers: readonly MappedPart[]; ports: readonly MappedPart[] };

const having = (role: Part['role'], parts: readonly MappedPart[]): MappedPart[] =>
  parts.filter((part) => part.role === role);

async function mapped(
  model: Model | undefined,
  layout: (index: number) => Layout,
  partsOf: (model: Model) => Promise<Part[]>,
): Promise<MappedPart[]> {
  if (!model) return [];
  return (await partsOf(model)).map(({ index, role }) => ({
    role,
    at: (name, options) => pointAt(model, layout(index)[name], options),
  }));
}

function pvOf({ models }: SunSpecDevice, { trackers, ports }: Parts, battery_W: Found): Fields {
  const inverter = Object.keys(layouts.inverterLayouts)
    .map(Number)
    .toReversed() // 701 before the older ones
    .flatMap((id) => models.filter((model) => model.id === id))[0];
  const at = (name: string, options?: PointOptions): Found =>
    inverter && pointAt(inverter, layouts.inverterLayouts[inverter.id]![name], options);
  const onTrackers = having('pv', trackers);
  const panels = onTrackers.length > 0 ? onTrackers : having('pv', ports);
  const hasOthers = [...trackers, ...ports].some(({ role }) => role !== 'pv');
  if (hasOthers && panels.length === 0) return {};
  const alternating = at('W', { scale: -1 }); // also carries what a battery gives
  const direct = added(panels.map((panel) => panel.at('W', { scale: -1 })));
  return withValues({
    W: hasOthers
      ? direct
      : first(direct, alternating && (battery_W ? solarBehind(alternating, battery_W) : alternating)),
    ...((direct || battery_W) && { ac_W: alternating }),
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

function batteryOf({ manufacturer, models }: SunSpecDevice, { trackers, ports }: Parts): Fields {
  const at = placesIn(models);
  const sign = chargingIsPositive.test(manufacturer) ? 1 : -1;
  const batteries = having('battery', ports);
  const total = (name: string, options?: PointOptions): Found => added(batteries.map((port) => port.at(name, options)));
  const flows = [
    ...having('charging', trackers).map((tracker) => tracker.at('W')),
    ...having('discharging', trackers).map((tracker) => tracker.at('W', { scale: -1 })),
  ];
  return withValues({
    W: first(total('W', { scale: -1 }), at(802, layouts.battery.W, { scale: sign }), added(flows)),
    V: first(batteries[0]?.at('V'), at(802, layouts.battery.V), at(124, layouts.storage.InBatV)),
    A: first(total('A', { scale: -1 }), at(802, layouts.battery.A, { scale: sign })),
    SoC_nom_fract: first(
      at(713, layouts.storageCapacity.SoC, { scale: 0.01 }),
      at(802, layouts.battery.SoC, { scale: 0.01 }),
      at(124, layouts.storage.ChaState, { scale: 0.01 }),
    ),
    total_charge_Wh: total('WhAbs'),
    total_discharge_Wh: total('WhInj'),
  });
}

function meterOf({ manufacturer, models }: SunSpecDevice): Fields {
  const model = models.find(({ id }) => layouts.meterLayouts[id]);
  if (!model) return {};
  const at = (name: string, scale = 1): Found => pointAt(model, layouts.meterLayouts[model.id]![name], { scale });
  const sign = exportIsPositive.test(manufacturer) ? -1 : 1;
  return withValues({
    W: at('W', sign),
    L1_W: at('WphA', sign),
    L2_W: at('WphB', sign),
    L3_W: at('WphC', sign),
    L1_V: at('PhVphA'),
    L2_V: at('PhVphB'),
    L3_V: at('PhVphC'),
    L1_A: at('AphA'),
    L2_A: at('AphB'),
    L3_A: at('AphC'),
    Hz: at('Hz'),
    total_import_Wh: at('TotWhImp'),
    total_export_Wh: at('TotWhExp'),
  });
}

export function ratingsOf({ models }: SunSpecDevice): Ratings {
  const at = placesIn(models);
  return withValues({
    rated_power_W: first(
      at(702, layouts.capacity.WMaxRtg),
      at(120, layouts.nameplate.WRtg),
      at(121, layouts.settings.WMax),
    ),
    battery_rated_power_W: least(
      at(702, layouts.capacity.WChaRteMaxRtg),
      at(802, layouts.battery.WDisChaRteMax),
      at(124, layouts.storage.WChaMax),
    ),
    capacity_Wh: first(
      at(713, layouts.storageCapacity.WHRtg),
      at(802, layouts.battery.WHRtg),
      at(120, layouts.nameplate.WHRtg),
    ),
  });
}

const placesIn =
  (models: readonly Model[]) =>
  (id: number, place: Layout[string], options?: PointOptions): Found => {
    const model = models.find((each) => each.id === id);
    return model && pointAt(model, place, options);
  };

function first(...found: Found[]): Found {
  const there = found.filter((reading) => reading !== undefined);
  return there.length > 1 ? firstOf(...there) : there[0];
}

function least(...found: Found[]): Found {
  const there = found.filter((reading) => reading !== undefined);
  return there.length > 1 ? leastOf(...there) : there[0];
}

function added(found: readonly Found[]): Found {
  const there = found.filter((reading) => reading !== undefined);
  return there.length > 0 ? sum(...there) : undefined;
}

/** Without the fields that no model has. */
const withValues = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as typeof fields;

/** Without the parts that have no power. */
const filled = (ders: Ders): Ders =>
  Object.fromEntries(Object.entries(ders).filter(([, fields]) => fields.W !== undefined));
