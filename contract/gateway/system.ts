import { routesOf } from '../route.ts';
import { OpenObject, type Static, Text, Titled, Type, texts } from '../schema.ts';
import { Message, WriteResult } from './form.ts';
import { Network } from './network.ts';

const tag = 'System';
const local = routesOf({ tag, access: 'local' });
const guarded = routesOf({ tag, access: 'guarded' }, local.all);

/** Routes that can take a gateway away from its owner. */
const forOwner = {
  tag,
  access: 'guarded',
  isForOwner: true,
  description:
    'On a claimed gateway this requires the local token (`Authorization: Bearer`), even with `LOCAL_API=open`; otherwise ' +
    'the reply is 403 `local_token_required`. `ohmstead gateway token` prints the token on the gateway machine.',
  problems: ['local_token_required', 'storage_failed'],
} as const;
const owner = routesOf(forOwner, local.all);

export const GatewayInfo = Titled('GatewayInfo', {
  deviceId: Type.String(),
  name: Type.String({ description: 'display name; drivers use deviceName of GET /api/crypto' }),
  cpuFreqMHz: Type.Optional(Type.Number({ description: 'absent if the processor does not report it' })),
  flashSizeMB: Type.Optional(Type.Number()),
  ...texts('sdkVersion', 'firmwareVersion'),
  publicKey: Type.String({ description: '128 hex digits, X then Y' }),
  network: Network,
});
export type GatewayInfo = Static<typeof GatewayInfo>;

const memory = Type.Number({ description: 'kB' });

export const System = OpenObject('System', 'gateway_info again, under the names that clients expect', {
  time_utc_sec: Type.Integer(),
  uptime_seconds: Type.Integer(),
  temperature_celsius: Type.Optional(Type.Number({ description: 'absent without a sensor' })),
  memory_kb: Type.Object({
    total: memory,
    free: memory,
    used: memory,
    percent_used: Type.Number(),
    min: Type.Number({ description: 'kB; minimum free memory since the start' }),
    largest: Type.Number({ description: 'kB; largest possible allocation' }),
  }),
  processes_average: Type.Object({
    last_1min: Type.Number(),
    last_5min: Type.Number(),
    last_15min: Type.Number(),
  }),
  logging: Type.Object({ enabled: Type.Boolean(), level: Type.Integer() }),
  gateway_info: GatewayInfo,
});
export type System = Static<typeof System>;

export const getSystem = local.get('/api/system', 'Get time, memory, load, identity and network of the gateway', {
  replies: { 200: System },
});

export const reboot = guarded.post('/api/system/reboot', 'Restart the gateway in 5 s', {
  replies: { 200: WriteResult },
});

export const factoryReset = owner.post(
  '/api/system/factory-reset',
  'Remove devices, broker and Wi-Fi settings, and restart in 2 s',
  { replies: { 200: Message } },
);

/** Numbers of the log levels; a level includes all lower numbers. */
export const streamLevels = { fatal: 1, error: 1, warn: 2, info: 4, debug: 5, trace: 6 } as const;
export const usualStreamLevel = streamLevels.info;

export const setLogStream = guarded.post('/api/system/log_stream', 'Start or stop sending the log to the broker', {
  description: 'Levels: 1=ERROR, 2=WARN, 3=OK, 4=INFO, 5=DEBUG, 6=VERBOSE. The level OK is not used.',
  body: Type.Object({
    enabled: Type.Boolean(),
    level: Type.Optional(Type.Integer({ minimum: 1, maximum: 6, default: usualStreamLevel })),
  }),
  replies: { 200: Type.Object({ enabled: Type.Boolean(), status: Type.String() }) },
});

const ConnectionString = Text(
  1024,
  'mqtt://, mqtts://, ws:// or wss:// with host and port, or host:port; empty for none',
);

const connectionStrings = {
  mqtt_connection_str: ConnectionString,
  mqtt_connection_fallback_str: ConnectionString,
};

export const getMqttConfig = local.get('/api/system/mqtt', 'Get the broker settings, without passwords', {
  replies: { 200: Type.Object(connectionStrings) },
});

export const setMqttConfig = owner.post(
  '/api/system/mqtt',
  'Change the broker and restart; at least one of the two fields is required',
  { body: Type.Partial(Type.Object(connectionStrings)), replies: { 200: WriteResult } },
);

export const clearMqttConfig = owner.delete('/api/system/mqtt', 'Reset the broker to the configuration and restart', {
  replies: { 200: WriteResult },
});

const ManagedRequest = Type.Object({
  at: Type.Integer({ description: 'ms' }),
  ...texts('operation', 'by'),
  message: Type.Optional(Type.String({ description: 'why it was refused' })),
});

export const RemoteManagement = Titled('RemoteManagement', {
  enabled: Type.Boolean(),
  trusted: Type.Boolean({ description: 'false if the platform signs with keys that the gateway does not know' }),
  requests: Type.Array(ManagedRequest, {
    description: 'the last requests of the platform that searched for, added or changed devices, newest first',
  }),
});
export type RemoteManagement = Static<typeof RemoteManagement>;

export const getRemoteManagement = local.get(
  '/api/system/management',
  'Get whether the platform manages this gateway',
  {
    replies: { 200: RemoteManagement },
  },
);

export const setRemoteManagement = owner.post(
  '/api/system/management',
  'Let the platform manage the devices of this gateway, or not',
  {
    ...forOwner,
    description: `Enabling it also trusts the present keys of the platform, if those changed unexpectedly. ${forOwner.description}`,
    body: Type.Object({ enabled: Type.Boolean() }),
    replies: { 200: RemoteManagement },
  },
);

export const getName = local.get('/api/name', 'Get the name of the gateway', {
  replies: { 200: Type.Object({ name: Type.String() }) },
});

export const getDebug = local.get('/api/debug', 'Get memory use and running tasks of the process', {
  replies: {
    200: Type.Object({
      status: Type.String(),
      heap: Type.Record(Type.String(), Type.Number()),
      tasks: Type.Array(Type.Object({ name: Type.String(), state: Type.String() })),
    }),
  },
});

export const echo = local.post('/api/echo', 'Return the request body as text', {
  readOnly: true,
  body: Type.Unknown(),
  replies: { 200: Type.Object({ echo: Type.String() }) },
});

export const systemRoutes = local.all;
