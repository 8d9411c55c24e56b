import { derTypeIds, deviceTypeIds } from '../der.ts';
import { routesOf } from '../route.ts';
import { Nullable, OneOf, pagesOf, type Static, Text, Titled, Type, texts } from '../schema.ts';
import { TelemetryField } from '../telemetry.ts';
import { minuteMs, recentMs } from '../time.ts';

const api = routesOf({ tag: 'Public', access: 'public' });

export const Cell = Titled('Cell', {
  h3_index: Type.String({ description: 'H3 cell of resolution 6, about 36 square kilometres' }),
  center_lat: Type.Number(),
  center_lng: Type.Number(),
  site_count: Type.Integer(),
  der_types: Type.Array(OneOf(derTypeIds)),
});
export type Cell = Static<typeof Cell>;

const DerType = Titled('DerType', {
  id: OneOf(derTypeIds),
  ...texts('display_name', 'description', 'schema_version'),
  telemetry_schema: Type.Array(Type.Integer(), { description: 'indices into /public/telemetry-fields' }),
});

const DeviceType = Titled('DeviceType', {
  id: OneOf(deviceTypeIds),
  ...texts('display_name', 'description'),
  allowed_der_types: Type.Array(OneOf(derTypeIds)),
});

export const listCells = api.get('/public/cells', 'List the map cells with sites', {
  description: 'Returns all cells, or pages with limit and cursor.',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    cursor: Type.Optional(Text(512, 'opaque; from the Link header of the previous page')),
  }),
  replies: { 200: Type.Object({ cells: Type.Array(Cell) }) },
  conditional: true,
});

const TypeStats = Type.Object({
  count: Type.Integer(),
  total_power_w: Type.Number({ description: 'sum of the magnitudes of import and export' }),
  total_export_w: Type.Number(),
  total_import_w: Type.Number(),
  avg_soc_pct: Nullable(Type.Number()),
});

export const CellStats = Titled('CellStats', {
  h3_index: Type.String(),
  site_count: Type.Integer(),
  der_count: Type.Integer(),
  total_power_w: Type.Number(),
  avg_frequency_hz: Nullable(Type.Number()),
  der_summary: Type.Record(Type.String(), TypeStats),
});
export type CellStats = Static<typeof CellStats>;

export const getCellStats = api.get('/public/cells/{h3_index}/stats', 'Get the current totals of a cell', {
  description: `Sums cover readings of the last ${recentMs / minuteMs} minutes; counts cover all DERs.`,
  replies: { 200: CellStats },
  problems: ['not_found'],
});

export const PublicRules = Titled('PublicRules', {
  min_sites: Type.Integer({
    description:
      'PUBLIC_MIN_SITES: sites that a cell needs before it is shown, and a device type before its totals are',
  }),
  totals_interval_s: Type.Integer({ description: 'seconds for which the totals of a cell stay the same' }),
});
export type PublicRules = Static<typeof PublicRules>;

export const getPublicRules = api.get('/public/rules', 'Get which cells the map shows, and how often totals change', {
  replies: { 200: PublicRules },
  conditional: true,
});

export const listDerTypes = api.get('/public/der-types', 'List the DER types', {
  ...pagesOf(DerType),
  conditional: true,
});

export const getDerType = api.get('/public/der-types/{id}', 'Get a DER type', {
  replies: { 200: DerType },
  problems: ['not_found'],
  conditional: true,
});

export const listDeviceTypes = api.get('/public/device-types', 'List the device types and their allowed DER types', {
  ...pagesOf(DeviceType),
  conditional: true,
});

export const listTelemetryFields = api.get(
  '/public/telemetry-fields',
  'List the telemetry fields; an index never changes its meaning',
  { replies: { 200: Type.Array(TelemetryField) }, conditional: true },
);

export const publicRoutes = api.all;
