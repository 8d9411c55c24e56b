import { allOf, may } from '../access.ts';
import { derTypeIds, deviceTypeIds, erasesTelemetry } from '../der.ts';
import { routesOf } from '../route.ts';
import { Id, Name, Nullable, OneOf, Serial, type Static, Text, Timestamp, Titled, Type, texts } from '../schema.ts';

const api = routesOf({ tag: 'Devices' });
const ofDevice = routesOf({ tag: 'Devices', access: may('manage', 'device', 'params.device_id') }, api.all);
const ofDer = routesOf({ tag: 'Devices', access: may('manage', 'der', 'params.der_id') }, api.all);

/** pending: no reading received yet; active: has sent readings; orphaned: its gateway was released or transferred. */
const deviceStates = ['pending', 'active', 'orphaned'] as const;
export type DeviceState = (typeof deviceStates)[number];

const DerName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$',
  description:
    '1 to 64 printable characters, not blank, stored as given. Topics replace each character outside A-Z a-z 0-9 _ - with _; ' +
    'DER names of a device must also differ in topics.',
});

const DerEntry = { id: Type.String(), name: Type.String(), type: OneOf(derTypeIds) };

export const DerSummary = Titled('DerSummary', DerEntry);

export const Der = Titled('Der', {
  ...DerEntry,
  ...texts('device_id', 'site_id'),
  created_at: Timestamp,
  latest: Nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'the latest reading; null before the first one' }),
  ),
});
export type Der = Static<typeof Der>;

const listing = {
  ...texts('id', 'name'),
  type: OneOf(deviceTypeIds),
  state: OneOf(deviceStates),
  ...texts('hardware_id', 'gateway_serial'),
  online: Type.Boolean(),
  last_seen: Nullable(Timestamp),
  ders: Type.Array(DerSummary),
};

export const DeviceListing = Titled('DeviceListing', listing);
export type DeviceListing = Static<typeof DeviceListing>;

const record = {
  ...listing,
  device_id: Type.String({ description: 'the same as id' }),
  device_type: OneOf(deviceTypeIds, { description: 'the same as type' }),
  site_id: Type.String(),
  manufacturer: Nullable(Type.String()),
  model: Nullable(Type.String()),
  created_at: Timestamp,
};

export const Device = Titled('Device', record);
export type Device = Static<typeof Device>;

export const ProvisionedDevice = Titled('ProvisionedDevice', { ...record, created: Type.Boolean() });
export type ProvisionedDevice = Static<typeof ProvisionedDevice>;

const typeText = Type.String({ pattern: '^[a-z0-9_]{1,32}$', description: '1 to 32 of a-z 0-9 _' });

const NewDer = Type.Object({ name: DerName, type: typeText });

export const provisionDevice = api.post('/devices/provision', 'Provision a device and its DERs at a site', {
  description:
    'Creates or updates the device by gateway and hardware id: 201 when created, 200 when name, site or DERs were updated. ' +
    'The gateway must be claimed by the organization of the site. null is the same as leaving a field out.',
  location: '/devices/{id}',
  access: allOf(may('manage', 'site', 'body.site_id'), may('read', 'gateway', 'body.gateway_serial')),
  body: Type.Object({
    gateway_serial: Serial,
    hardware_id: Type.String({ minLength: 1, maxLength: 128, pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}]*$' }),
    device_type: typeText,
    site_id: Id,
    name: Type.Optional(Nullable(Name)),
    manufacturer: Type.Optional(Nullable(Text(128))),
    model: Type.Optional(Nullable(Text(128))),
    ders: Type.Optional(Nullable(Type.Array(NewDer, { maxItems: 64 }))),
  }),
  replies: { 201: ProvisionedDevice, 200: ProvisionedDevice },
  problems: ['conflict', 'unprocessable', 'quota_exceeded'],
  creates: true,
});

export const getDevice = api.get('/devices/{device_id}', 'Get a device', {
  access: may('read', 'device', 'params.device_id'),
  scope: 'read:sites',
  replies: { 200: Device },
  conditional: true,
});

export const updateDevice = ofDevice.put('/devices/{device_id}', 'Rename a device', {
  resource: getDevice,
  volatile: ['last_seen'],
  body: Type.Object({ name: Name }),
  replies: { 200: Device },
});

export const deleteDevice = ofDevice.delete(
  '/devices/{device_id}',
  'Delete a device with its DERs, commands and telemetry',
  { description: erasesTelemetry, resource: getDevice, replies: { 204: null } },
);

export const getDer = api.get('/ders/{der_id}', 'Get a DER with its latest reading', {
  conditional: true,
  access: may('read', 'der', 'params.der_id'),
  scope: 'read:telemetry',
  replies: { 200: Der },
});

export const updateDer = ofDer.put('/ders/{der_id}', 'Rename a DER', {
  description: 'The name is part of the telemetry topic: the gateway publishes under the new name from now on.',
  resource: getDer,
  volatile: ['latest'],
  body: Type.Object({ name: DerName }),
  replies: { 200: Der },
  problems: ['conflict'],
});

export const deleteDer = ofDer.delete('/ders/{der_id}', 'Delete a DER with its commands and telemetry', {
  description: erasesTelemetry,
  resource: getDer,
  replies: { 204: null },
});

export const addDer = ofDevice.post('/devices/{device_id}/ders', 'Add a DER to a device', {
  location: '/ders/{id}',
  body: NewDer,
  replies: { 201: Der },
  problems: ['conflict', 'unprocessable', 'quota_exceeded'],
  creates: true,
});

export const deviceRoutes = api.all;
