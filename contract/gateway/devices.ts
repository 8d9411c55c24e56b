import { routesOf } from '../route.ts';
import { IntegerIn, NumberIn, OneOf, OpenObject, optional, type Static, Text, Titled, Type, texts } from '../schema.ts';
import { connectionTypeNames, localDeviceTypes } from './connections.ts';
import { Message, probe } from './form.ts';
import { type DerKind, derKinds } from './reading.ts';

const tag = 'Devices';
const local = routesOf({ tag, access: 'local' });
const guarded = routesOf({ tag, access: 'guarded' }, local.all);

const SupportedProfile = Titled('SupportedProfile', {
  ...texts('display_name', 'profile'),
  connection_types: Type.Array(OneOf(connectionTypeNames)),
  device_type: OneOf(localDeviceTypes),
});
export type SupportedProfile = Static<typeof SupportedProfile>;

export const listSupported = local.get('/api/devices/supported', 'List the supported devices by category', {
  description:
    'Later form: inverters, energy_meters, batteries, v2x_chargers. Earlier form: inverters, meters, ev_chargers.',
  replies: {
    200: Type.Unsafe<{ count: number } & Record<string, SupportedProfile[] | number>>({
      type: 'object',
      required: ['count'],
      properties: { count: { type: 'integer' } },
      additionalProperties: { type: 'array', items: SupportedProfile },
    }),
  },
});

const ShownParameter = Type.Object({
  ...texts('name', 'type'),
  required: Type.Boolean(),
  default: Type.Optional(Type.Unknown()),
  description: Type.Optional(Type.String()),
});

export const listConnectionTypes = local.get('/api/devices/types', 'List the connection types and their parameters', {
  replies: {
    200: Type.Object({
      connection_types: Type.Array(
        Type.Object({ type: Type.String(), description: Type.String(), parameters: Type.Array(ShownParameter) }),
      ),
    }),
  },
});

export const DerEntry = Titled('DerEntry', {
  type: OneOf(derKinds),
  enabled: Type.Boolean({ description: 'whether its readings are sent to the platform' }),
  rated_power: Type.Optional(Type.Number({ description: 'W' })),
  installed_power: Type.Optional(Type.Number({ description: 'W; panels' })),
  capacity: Type.Optional(Type.Number({ description: 'Wh' })),
});
export type DerEntry = Static<typeof DerEntry>;

export const derSettings: Record<DerKind, readonly ('rated_power' | 'installed_power' | 'capacity')[]> = {
  pv: ['rated_power', 'installed_power'],
  battery: ['rated_power', 'capacity'],
  meter: [],
  v2x_charger: ['capacity'],
};

export const controlTrusts = ['proven', 'confirmed', 'unconfirmed'] as const;
export type ControlTrust = (typeof controlTrusts)[number];

export const DeviceEntry = OpenObject('DeviceEntry', 'the parameters of the connection', {
  type: OneOf(connectionTypeNames),
  profile: Type.String(),
  device_type: OneOf(localDeviceTypes),
  sn: Type.String(),
  connected: Type.Boolean(),
  last_harvest: Type.Optional(Type.Integer({ description: 'ms' })),
  path: Type.String(),
  ders: Type.Array(DerEntry),
  error: Type.Optional(Type.String({ description: 'why it is not connected' })),
  control: Type.Optional(
    OneOf(controlTrusts, {
      description:
        'proven: confirmed on hardware or by two independent sources; confirmed: by POST /api/control/{sn}/confirm; ' +
        'unconfirmed: control is refused until then; absent if the device cannot be controlled',
    }),
  ),
});
export type DeviceEntry = Static<typeof DeviceEntry>;

export const listDevices = local.get('/api/devices', 'List the devices of this gateway', {
  replies: { 200: Type.Object({ count: Type.Integer(), devices: Type.Array(DeviceEntry) }) },
});

/** Parameters are validated against contract/gateway/connections.ts. */
const NewDevice = Type.Intersect(
  [
    Type.Object({ type: OneOf(connectionTypeNames) }),
    Type.Record(Type.String(), Type.Unknown(), { description: 'the parameters of GET /api/devices/types' }),
  ],
  { examples: [{ type: 'modbus_tcp', profile: 'sungrow', ip: '192.168.1.20' }] },
);

export const addDevice = guarded.post('/api/devices', 'Connect a device and save it if it answers', {
  creates: true,
  body: NewDevice,
  replies: { 201: Type.Object({ message: Type.String(), sn: Type.String(), ders: Type.Array(DerEntry) }) },
  problems: ['conflict', 'device_unreachable', 'insufficient_memory', 'storage_failed'],
});

export const getDevice = local.get('/api/devices/{sn}', 'Not implemented; use the device list and data/json', {
  replies: { 501: Message },
  problems: ['not_found', 'not_implemented'],
});

export const removeDevice = guarded.delete('/api/devices/{sn}', 'Remove a device', {
  replies: { 200: Message },
  problems: ['not_found', 'storage_failed'],
});

export const removeDevices = guarded.delete('/api/devices', 'Remove all devices', {
  replies: { 200: Message },
  problems: ['storage_failed'],
});

export const confidences = ['high', 'medium', 'low'] as const;

const Candidate = Type.Object({
  profile: Type.String(),
  unit_id: Type.Integer(),
  confidence: OneOf(confidences),
  serial: Type.Optional(Type.String()),
  reason: Type.String({ description: 'why the profile fits' }),
});

export const detectDevice = guarded.post('/api/devices/detect', 'Detect the device at an address', {
  ...probe,
  description: `Returns matching profiles and unit ids, best first. ${probe.description}`,
  readOnly: true,
  body: Type.Object({
    ip: Text(253),
    ...optional({
      port: IntegerIn(1, 65_535, 'by default 502, or if nothing listens there, other common default ports'),
      unit_id: IntegerIn(0, 255, 'checks only this unit id'),
    }),
  }),
  replies: { 200: Type.Object({ ip: Type.String(), port: Type.Integer(), candidates: Type.Array(Candidate) }) },
  problems: ['conflict', 'device_unreachable', 'rate_limited'],
});

const DerFlag = Type.Object({ type: OneOf(derKinds), enabled: Type.Boolean() });

export const DerChange = Type.Object({
  type: OneOf(derKinds),
  ...optional({
    enabled: Type.Boolean(),
    rated_power: NumberIn(0, 1e9, 'W'),
    installed_power: NumberIn(0, 1e9, 'W'),
    capacity: NumberIn(0, 1e9, 'Wh'),
  }),
});
export type DerChange = Static<typeof DerChange>;

const Changed = Type.Object({ message: Type.String(), sn: Type.String() });

export const setDerFlags = guarded.post('/api/devices/{sn}/types', 'Select the DERs whose readings are sent', {
  description: 'Readings are sent to the platform. DERs that are not listed stay unchanged.',
  body: Type.Object({ ders: Type.Array(DerFlag, { maxItems: 16 }) }),
  replies: { 200: Changed },
  problems: ['not_found', 'storage_failed'],
});

export const getDers = local.get('/api/devices/{sn}/ders', 'List the DERs of a device with their settings', {
  replies: { 200: Type.Object({ sn: Type.String(), ders: Type.Array(DerEntry) }) },
  problems: ['not_found'],
});

export const setDers = guarded.post('/api/devices/{sn}/ders', 'Change DER settings; omitted fields stay unchanged', {
  body: Type.Object({ ders: Type.Array(DerChange, { maxItems: 16 }) }),
  replies: { 200: Changed },
  problems: ['not_found', 'storage_failed'],
});

export const deviceRoutes = local.all;
