import { may } from '../access.ts';
import { derTypeIds } from '../der.ts';
import { routesOf } from '../route.ts';
import { Nullable, NumberIn, OneOf, optional, type Static, Text, Timestamp, Titled, Type } from '../schema.ts';
import { dayMs, minuteMs } from '../time.ts';

export const quarterMs = 15 * minuteMs;

export const energyResolutions = ['15m', '1h', '1d', '1mo', '1y'] as const;
export type EnergyResolution = (typeof energyResolutions)[number];

/** The longest range that can be requested in each resolution. */
export const maxEnergyRangeMs: Record<EnergyResolution, number> = {
  '15m': 800 * dayMs,
  '1h': 2000 * dayMs,
  '1d': 20_000 * dayMs,
  '1mo': 40_000 * dayMs,
  '1y': 40_000 * dayMs,
};

/** The series of a site. In every quarter: import + solar + discharges = export + charges + load. */
export const energySeries = [
  'import',
  'export',
  'solar',
  'battery_charge',
  'battery_discharge',
  'car_charge',
  'car_discharge',
  'load',
] as const;
export type EnergySeries = (typeof energySeries)[number];

const Wh = (description: string) => Type.Integer({ description });
const percent = (description: string) => Nullable(NumberIn(0, 100, description));

const sums = {
  import_wh: Wh('from the grid'),
  export_wh: Wh('to the grid'),
  solar_wh: Wh('generated'),
  battery_charge_wh: Wh('into batteries'),
  battery_discharge_wh: Wh('out of batteries'),
  car_charge_wh: Wh('into cars'),
  car_discharge_wh: Wh('out of cars'),
  load_wh: Wh('used by the house itself: import + solar + discharges - export - charges'),
  self_consumption_pct: percent('100 x (1 - export / solar); null without solar energy'),
  self_sufficiency_pct: percent('100 x (1 - import / (load + car_charge)); null without consumption'),
  coverage_pct: NumberIn(
    0,
    100,
    'share of the time in which all devices of the balance were measured; 0 without a grid meter',
  ),
  estimated_wh: Wh('energy of all series that was spread over a gap, or derived from the other series'),
  balance_error_wh: Wh('how far the load fell below zero in quarters that were measured completely'),
};

export const EnergyTotal = Titled('EnergyTotal', sums);
export type EnergyTotal = Static<typeof EnergyTotal>;

export const EnergyInterval = Titled('EnergyInterval', { start: Timestamp, end: Timestamp, ...sums });
export type EnergyInterval = Static<typeof EnergyInterval>;

export const SiteEnergy = Titled('SiteEnergy', {
  site_id: Type.String(),
  timezone: Type.String({ description: 'IANA name; UTC when the site has none' }),
  resolution: OneOf(energyResolutions),
  from: Timestamp,
  to: Timestamp,
  intervals: Type.Array(EnergyInterval),
  total: EnergyTotal,
});
export type SiteEnergy = Static<typeof SiteEnergy>;

export const DeviceEnergy = Titled('DeviceEnergy', {
  device_id: Nullable(Type.String({ description: 'null when the device was deleted' })),
  der_id: Nullable(Type.String()),
  name: Nullable(Type.String({ description: 'name of the device' })),
  kind: OneOf([...derTypeIds, 'sub_meter'], { description: 'type of the DER; sub_meter for a meter of one circuit' }),
  in_wh: Wh('into the device: imported or charged'),
  out_wh: Wh('out of the device: exported, generated or discharged'),
  estimated_wh: Wh('part of it that was spread over gaps'),
  coverage_pct: NumberIn(0, 100, 'share of the time in which it was measured'),
});
export type DeviceEnergy = Static<typeof DeviceEnergy>;

export const SiteDeviceEnergy = Titled('SiteDeviceEnergy', {
  site_id: Type.String(),
  from: Timestamp,
  to: Timestamp,
  devices: Type.Array(DeviceEnergy),
});
export type SiteDeviceEnergy = Static<typeof SiteDeviceEnergy>;

const instant = (description: string) =>
  Text(40, `${description}; on a quarter of an hour; RFC 3339, Unix seconds or milliseconds`);

const range = optional({
  from: instant('start of the range; by default the start of the local day of the end'),
  to: instant('end of the range; by default the end of the current quarter of an hour'),
});

const api = routesOf({
  tag: 'Energy',
  scope: 'read:telemetry',
  access: may('read', 'site', 'params.site_id'),
  problems: ['unprocessable'],
  otherTypes: ['text/csv'],
});

export const getSiteEnergy = api.get('/sites/{site_id}/energy', 'Get the energy of a site', {
  description:
    'Whole watt-hours, as sums of quarter-hours: any partition of a range gives the same total. Days, months and years are those ' +
    'of the time zone of the site; the first and last interval are cut at the range. Late readings correct the energy within ' +
    'half a minute, as long as readings of that time are kept.',
  query: Type.Object({
    ...range,
    ...optional({
      resolution: OneOf(energyResolutions, { description: 'by default chosen from the length of the range' }),
      format: OneOf(['json', 'csv']),
    }),
  }),
  replies: { 200: SiteEnergy },
});

export const getSiteDeviceEnergy = api.get(
  '/sites/{site_id}/energy/devices',
  'Get the energy of each device of a site',
  {
    description: 'Sorted by energy, the largest first. Includes sub-meters, which the energy of the site leaves out.',
    query: Type.Object({ ...range, ...optional({ format: OneOf(['json', 'csv']) }) }),
    replies: { 200: SiteDeviceEnergy },
  },
);

export const energyRoutes = api.all;
