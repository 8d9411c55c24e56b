import { routesOf } from '../route.ts';
import { IntegerIn, Nullable, OneOf, type Static, Text, Titled, Type } from '../schema.ts';
import { probe, WriteResult } from './form.ts';

const tag = 'Network';
const local = routesOf({ tag, access: 'local' });
const guarded = routesOf({ tag, access: 'guarded' }, local.all);

export const wifiStatuses = ['connected', 'disconnected', 'connecting', 'disabled', 'unavailable'] as const;

export const Network = Titled('Network', {
  wifiStatus: OneOf(wifiStatuses),
  wifiConnected: Type.Boolean(),
  localIP: Type.Optional(Type.String()),
  ssid: Type.Optional(Type.String()),
  rssi: Type.Optional(Type.Integer()),
  internetConnected: Type.Boolean(),
  mqttConnected: Type.Optional(Type.Boolean({ description: 'later form' })),
});
export type Network = Static<typeof Network>;

export const getNetwork = local.get('/api/network', 'Get the network status of the gateway', {
  replies: { 200: Network },
});

const SeenNetwork = Type.Object({ ssid: Type.String(), rssi: Type.Integer(), auth: Type.String() });
export type SeenNetwork = Static<typeof SeenNetwork>;

export const getWifi = local.get('/api/wifi', 'List the Wi-Fi networks of the last scan and the connected one', {
  description: 'The later form lists names; the earlier form lists name, signal strength and security.',
  replies: {
    200: Type.Object({
      ssids: Type.Unsafe<string[] | SeenNetwork[]>({
        type: 'array',
        items: { anyOf: [{ type: 'string' }, SeenNetwork] },
      }),
      connected: Nullable(Type.String()),
    }),
  },
});

export const joinWifi = guarded.post('/api/wifi', 'Join a Wi-Fi network', {
  body: Type.Object({
    ssid: Type.String({
      minLength: 1,
      maxLength: 32,
      pattern: '^[^\\p{Cc}\\p{Cs}]+$',
      description: '1 to 32 characters',
    }),
    psk: Text(64, 'the password; empty for an open network'),
  }),
  replies: { 200: WriteResult },
  problems: ['device_failed', 'unavailable'],
});

export const leaveWifi = guarded.delete('/api/wifi', 'Remove the Wi-Fi network and disconnect in 5 s', {
  replies: { 200: WriteResult },
  problems: ['unavailable'],
});

export const scanWifi = local.get('/api/wifi/scan', 'Scan for Wi-Fi networks; GET /api/wifi returns the result', {
  // Existing clients expect this spelling.
  replies: { 200: Type.Object({ status: OneOf(['sucess']), message: Type.String() }) },
  problems: ['unavailable'],
});

export const stopBle = guarded.post('/api/ble/stop', 'Stop Bluetooth', {
  replies: { 200: WriteResult },
  problems: ['device_failed', 'unavailable'],
});

const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[^\\p{Cc}\\p{Cs}\\s/@]+$',
  description: 'host name or IP address',
});

export const endpoint = {
  host: Host,
  port: IntegerIn(1, 65_535),
};

export const checkPort = guarded.post('/api/network/port-check', 'Check whether a port on the local network is open', {
  ...probe,
  readOnly: true,
  body: Type.Object({
    ...endpoint,
    timeout: Type.Optional(
      Type.Integer({ minimum: 1, default: 2000, description: 'ms, at most 5000; larger values are reduced' }),
    ),
  }),
  replies: { 200: Type.Object({ host: Type.String(), port: Type.Integer(), open: Type.Boolean() }) },
  problems: ['rate_limited'],
});

export const networkRoutes = local.all;
