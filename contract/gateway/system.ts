import type { Static } from 'typebox';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Text } from '../text.ts';
import { Message, WriteResult } from './form.ts';
import { Network } from './network.ts';

const tag = 'System';

/** What takes a gateway away from its owner. */
const forOwner = {
  isForOwner: true,
  description:
    'On a gateway that is claimed this needs its local token (`Authorization: Bearer`), also with `LOCAL_API=open`: ' +
    '403 `local_token_required`. `ohmstead gateway token` prints it on the machine of the gateway.',
} as const;

export const GatewayInfo = Type.Object(
  {
    deviceId: Type.String(),
    name: Type.String({ description: 'display name; deviceName of GET /api/crypto stays what drivers look for' }),
    cpuFreqMHz: Type.Optional(Type.Number({ description: 'absent where the processor does not report it' })),
    flashSizeMB: Type.Optional(Type.Number()),
    sdkVersion: Type.String(),
    firmwareVersion: Type.String(),
    publicKey: Type.String({ description: '128 hex digits, X then Y' }),
    network: Network,
  },
  { title: 'GatewayInfo' },
);
export type GatewayInfo = Static<typeof GatewayInfo>;

const memory = Type.Number({ description: 'kB' });

export const System = Type.Intersect(
  [
    Type.Object({
      time_utc_sec: Type.Integer(),
      uptime_seconds: Type.Integer(),
      temperature_celsius: Type.Optional(Type.Number({ description: 'absent where nothing measures it' })),
      memory_kb: Type.Object({
        total: memory,
        free: memory,
        used: memory,
        percent_used: Type.Number(),
        min: Type.Number({ description: 'kB; the least that was free since the start' }),
        largest: Type.Number({ description: 'kB; what one allocation may take' }),
      }),
      processes_average: Type.Object({
        last_1min: Type.Number(),
        last_5min: Type.Number(),
        last_15min: Type.Number(),
      }),
      logging: Type.Object({ enabled: Type.Boolean(), level: Type.Integer() }),
      gateway_info: GatewayInfo,
    }),
    Type.Record(Type.String(), Type.Unknown(), { description: 'gateway_info again, under the names clients look for' }),
  ],
  { title: 'System' },
);
export type System = Static<typeof System>;

export const getSystem = route({
  method: 'GET',
  path: '/api/system',
  tag,
  summary: 'The gateway: time, memory, load, identity, network',
  access: 'local',
  replies: { 200: System },
});

export const reboot = route({
  method: 'POST',
  path: '/api/system/reboot',
  tag,
  summary: 'Restart the gateway in 5 s',
  access: 'guarded',
  replies: { 200: WriteResult },
});

export const factoryReset = route({
  method: 'POST',
  path: '/api/system/factory-reset',
  tag,
  summary: 'Forget devices, broker and Wi-Fi, and restart in 2 s',
  access: 'guarded',
  ...forOwner,
  replies: { 200: Message },
  problems: ['local_token_required', 'storage_failed'],
});

/** The number by which a level of the log is asked for; those with lower numbers come with it. */
export const streamLevels = { fatal: 1, error: 1, warn: 2, info: 4, debug: 5, trace: 6 } as const;
export const usualStreamLevel = streamLevels.info;

export const setLogStream = route({
  method: 'POST',
  path: '/api/system/log_stream',
  tag,
  summary: 'Send the log to the broker, or stop it',
  description: 'Levels: 1=ERROR, 2=WARN, 3=OK, 4=INFO, 5=DEBUG, 6=VERBOSE. Nothing is logged as OK.',
  access: 'guarded',
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

export const getMqttConfig = route({
  method: 'GET',
  path: '/api/system/mqtt',
  tag,
  summary: 'The broker of the platform; a password in it is not shown',
  access: 'local',
  replies: { 200: Type.Object(connectionStrings) },
});

export const setMqttConfig = route({
  method: 'POST',
  path: '/api/system/mqtt',
  tag,
  summary: 'Use another broker, and restart; at least one of the two is given',
  access: 'guarded',
  ...forOwner,
  body: Type.Partial(Type.Object(connectionStrings)),
  replies: { 200: WriteResult },
  problems: ['local_token_required', 'storage_failed'],
});

export const clearMqttConfig = route({
  method: 'DELETE',
  path: '/api/system/mqtt',
  tag,
  summary: 'Use the broker of the configuration again, and restart',
  access: 'guarded',
  ...forOwner,
  replies: { 200: WriteResult },
  problems: ['local_token_required', 'storage_failed'],
});

export const getName = route({
  method: 'GET',
  path: '/api/name',
  tag,
  summary: 'The name of the gateway',
  access: 'local',
  replies: { 200: Type.Object({ name: Type.String() }) },
});

export const getDebug = route({
  method: 'GET',
  path: '/api/debug',
  tag,
  summary: 'What the process uses, and what it is doing',
  access: 'local',
  replies: {
    200: Type.Object({
      status: Type.String(),
      heap: Type.Record(Type.String(), Type.Number()),
      tasks: Type.Array(Type.Object({ name: Type.String(), state: Type.String() })),
    }),
  },
});

export const echo = route({
  method: 'POST',
  path: '/api/echo',
  tag,
  summary: 'The body of the request, as text',
  access: 'local',
  readOnly: true,
  body: Type.Unknown(),
  replies: { 200: Type.Object({ echo: Type.String() }) },
});

export const systemRoutes = [
  getSystem,
  reboot,
  factoryReset,
  setLogStream,
  getMqttConfig,
  setMqttConfig,
  clearMqttConfig,
  getName,
  getDebug,
  echo,
];
