import type { Static } from 'typebox';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Nullable, OneOf, Text } from '../text.ts';
import { probe, WriteResult } from './form.ts';

const tag = 'Network';

export const wifiStatuses = ['connected', 'disconnected', 'connecting', 'disabled', 'unavailable'] as const;

export const Network = Type.Object(
  {
    wifiStatus: OneOf(wifiStatuses),
    wifiConnected: Type.Boolean(),
    localIP: Type.Optional(Type.String()),
    ssid: Type.Optional(Type.String()),
    rssi: Type.Optional(Type.Integer()),
    internetConnected: Type.Boolean(),
    mqttConnected: Type.Optional(Type.Boolean({ description: 'later form' })),
  },
  { title: 'Network' },
);
export type Network = Static<typeof Network>;

export const getNetwork = route({
  method: 'GET',
  path: '/api/network',
  tag,
  summary: 'Get the network status of the gateway',
  access: 'local',
  replies: { 200: Network },
});

const SeenNetwork = Type.Object({ ssid: Type.String(), rssi: Type.Integer(), auth: Type.String() });
export type SeenNetwork = Static<typeof SeenNetwork>;

export const getWifi = route({
  method: 'GET',
  path: '/api/wifi',
  tag,
  summary: 'List the Wi-Fi networks of the last scan and the connected one',
  description: 'The later form lists names; the earlier form lists name, signal strength and security.',
  access: 'local',
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

export const joinWifi = route({
  method: 'POST',
  path: '/api/wifi',
  tag,
  summary: 'Join a Wi-Fi network',
  access: 'guarded',
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

export const leaveWifi = route({
  method: 'DELETE',
  path: '/api/wifi',
  tag,
  summary: 'Remove the Wi-Fi network and disconnect in 5 s',
  access: 'guarded',
  replies: { 200: WriteResult },
  problems: ['unavailable'],
});

export const scanWifi = route({
  method: 'GET',
  path: '/api/wifi/scan',
  tag,
  summary: 'Scan for Wi-Fi networks; GET /api/wifi returns the result',
  access: 'local',
  // Existing clients expect this spelling.
  replies: { 200: Type.Object({ status: OneOf(['sucess']), message: Type.String() }) },
  problems: ['unavailable'],
});

export const stopBle = route({
  method: 'POST',
  path: '/api/ble/stop',
  tag,
  summary: 'Stop Bluetooth',
  access: 'guarded',
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
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
};

export const checkPort = route({
  method: 'POST',
  path: '/api/network/port-check',
  tag,
  summary: 'Check whether a port on the local network is open',
  access: 'guarded',
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

export const networkRoutes = [getNetwork, getWifi, joinWifi, leaveWifi, scanWifi, stopBle, checkPort];
