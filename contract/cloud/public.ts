import type { Static } from 'typebox';
import { derTypeIds, deviceTypeIds } from '../der.ts';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { TelemetryField } from '../telemetry.ts';
import { Nullable, OneOf, Page, Text } from '../text.ts';
import { minuteMs, recentMs } from '../time.ts';

const tag = 'Public';

export const Cell = Type.Object(
  {
    h3_index: Type.String({ description: 'H3 cell of resolution 6, about 36 square kilometres' }),
    center_lat: Type.Number(),
    center_lng: Type.Number(),
    site_count: Type.Integer(),
    der_types: Type.Array(OneOf(derTypeIds)),
  },
  { title: 'Cell' },
);
export type Cell = Static<typeof Cell>;

const DerType = Type.Object(
  {
    id: OneOf(derTypeIds),
    display_name: Type.String(),
    description: Type.String(),
    schema_version: Type.String(),
    telemetry_schema: Type.Array(Type.Integer(), { description: 'indices into /public/telemetry-fields' }),
  },
  { title: 'DerType' },
);

const DeviceType = Type.Object(
  {
    id: OneOf(deviceTypeIds),
    display_name: Type.String(),
    description: Type.String(),
    allowed_der_types: Type.Array(OneOf(derTypeIds)),
  },
  { title: 'DeviceType' },
);

export const listCells = route({
  method: 'GET',
  path: '/public/cells',
  tag,
  summary: 'List the map cells with sites',
  description: 'Returns all cells, or pages with limit and cursor.',
  access: 'public',
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

export const CellStats = Type.Object(
  {
    h3_index: Type.String(),
    site_count: Type.Integer(),
    der_count: Type.Integer(),
    total_power_w: Type.Number(),
    avg_frequency_hz: Nullable(Type.Number()),
    der_summary: Type.Record(Type.String(), TypeStats),
  },
  { title: 'CellStats' },
);
export type CellStats = Static<typeof CellStats>;

export const getCellStats = route({
  method: 'GET',
  path: '/public/cells/{h3_index}/stats',
  tag,
  summary: 'Get the current totals of a cell',
  description: `Sums cover readings of the last ${recentMs / minuteMs} minutes; counts cover all DERs.`,
  access: 'public',
  replies: { 200: CellStats },
  problems: ['not_found'],
});

export const listDerTypes = route({
  method: 'GET',
  path: '/public/der-types',
  tag,
  summary: 'List the DER types',
  access: 'public',
  query: Page,
  replies: { 200: Type.Array(DerType) },
  paged: true,
  conditional: true,
});

export const getDerType = route({
  method: 'GET',
  path: '/public/der-types/{id}',
  tag,
  summary: 'Get a DER type',
  access: 'public',
  replies: { 200: DerType },
  problems: ['not_found'],
  conditional: true,
});

export const listDeviceTypes = route({
  method: 'GET',
  path: '/public/device-types',
  tag,
  summary: 'List the device types and their allowed DER types',
  access: 'public',
  query: Page,
  replies: { 200: Type.Array(DeviceType) },
  paged: true,
  conditional: true,
});

export const listTelemetryFields = route({
  method: 'GET',
  path: '/public/telemetry-fields',
  tag,
  summary: 'List the telemetry fields; an index never changes its meaning',
  access: 'public',
  replies: { 200: Type.Array(TelemetryField) },
  conditional: true,
});

export const publicRoutes = [listCells, getCellStats, listDerTypes, getDerType, listDeviceTypes, listTelemetryFields];
