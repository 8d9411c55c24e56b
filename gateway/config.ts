import type { Static } from 'typebox';
import { defaultLeaseS, maxLeaseS } from '#contract/command.ts';
import { forms, probesPerMinute } from '#contract/gateway/form.ts';
import { Type } from '#contract/schema.ts';
import { logSettings } from '#lib/config/shared-settings.ts';

export const GatewayConfig = Type.Object({
  GATEWAY_HOST: Type.String({ default: '0.0.0.0', description: 'address of the local API' }),
  GATEWAY_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8081,
    description: 'port of the local API, 0 for any',
    note: 'When it is not set and 8081 is taken, the next free port is used and logged.',
  }),
  GATEWAY_DATA_DIR: Type.String({
    default: './data/gateway',
    description: 'folder of the key, the devices and the outbox',
  }),
  GATEWAY_FORM: Type.Enum([...forms], {
    default: 'later',
    description: 'which form of the interface is spoken where the two collide',
  }),
  GATEWAY_INFO_KEYS: Type.String({
    default: 'zap',
    pattern: '^[A-Za-z0-9_-]*(,[A-Za-z0-9_-]+)*$',
    description: 'names under which GET /api/system also shows gateway_info, comma separated',
  }),
  GATEWAY_NAME: Type.String({
    default: 'software_zap',
    minLength: 1,
    maxLength: 64,
    description: 'value of `deviceName` in the local API; existing drivers look for the default',
  }),
  GATEWAY_DISPLAY_NAME: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'name for people, on the pages and as gateway_info.name; GATEWAY_NAME when not given',
      examples: ['Cellar'],
    }),
  ),
  GATEWAY_SERIAL_PREFIX: Type.String({
    default: 'ohm',
    pattern: '^[A-Za-z0-9_:]{1,32}$',
    description: 'what the serial begins with; the rest proves the key',
  }),
  GATEWAY_NAMES: Type.String({
    default: '',
    description:
      'host names, comma separated, by which browsers may call this gateway, beside its addresses and *.local',
  }),
  GATEWAY_TARGETS: Type.String({
    format: 'networks',
    default: '',
    description: 'networks (CIDR), comma separated, that devices may be in beside private ones; * for any',
  }),
  GATEWAY_RS485_PORT: Type.Optional(
    Type.String({
      description: 'serial line of Modbus RTU devices',
      note: 'A path, or `tcp://host:port` of an adapter in the network.',
      examples: ['/dev/ttyUSB0'],
    }),
  ),
  GATEWAY_P1_PORT: Type.Optional(
    Type.String({
      description: 'serial line of the P1 meter',
      note: 'A path, or `tcp://host:port` of an adapter in the network.',
      examples: ['/dev/ttyUSB1'],
    }),
  ),
  LOCAL_API: Type.Enum(['open', 'guarded'], {
    default: 'open',
    description:
      'whether everything may be called (open), or only with the local token what moves power, ownership, network, secrets or storage (guarded)',
  }),
  LOCAL_TOKEN: Type.Optional(
    Type.String({
      minLength: 16,
      secret: true,
      description: 'local token of a guarded gateway; made at first start in the data folder when not given',
      note: 'At least 16 characters. Its file is `local-token`.',
    }),
  ),
  RATE_LOCAL: Type.Integer({ minimum: 1, default: 120_000, description: 'requests a minute for each address' }),
  RATE_PROBES: Type.Integer({
    minimum: 1,
    default: probesPerMinute,
    description: 'port checks, ad-hoc Modbus reads and detections a minute, all callers together',
  }),
  CLOUD_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]+$',
      description: 'the platform; its page may read and ask for a signature',
      examples: ['https://energy.example.org'],
    }),
  ),
  UPLINK_URL: Type.Optional(
    Type.String({
      pattern: '^(mqtts?|wss?)://',
      secret: true,
      description: 'broker of the platform; the one set by POST /api/system/mqtt comes first',
    }),
  ),
  UPLINK_FALLBACK_URL: Type.Optional(
    Type.String({ pattern: '^(mqtts?|wss?)://', secret: true, description: 'broker to use when the first is away' }),
  ),
  UPLINK_CA: Type.Optional(
    Type.String({
      format: 'certificates',
      description: 'certificates in PEM that the broker is checked against; those of the system when not given',
    }),
  ),
  UPLINK_ACK: Type.Enum(['platform', 'broker'], {
    default: 'platform',
    description: 'whose word lets a sample go: the platform that stored it, or a broker whose platform tells nothing',
  }),
  HOME_ASSISTANT_URL: Type.Optional(
    Type.String({
      pattern: '^mqtts?://[^\\s/]',
      secret: true,
      description: 'broker of Home Assistant, with user and password, where the devices show up; off when not given',
      note: '[Home Assistant](home-assistant.md) tells what appears.',
      examples: ['mqtt://ohmstead:password@homeassistant.local'],
    }),
  ),
  HOME_ASSISTANT_PREFIX: Type.String({
    default: 'homeassistant',
    pattern: '^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$',
    description: 'where on that broker Home Assistant looks for devices',
  }),
  HOME_ASSISTANT_CA: Type.Optional(
    Type.String({
      format: 'certificates',
      description: 'certificates in PEM that this broker is checked against; those of the system when not given',
    }),
  ),
  OUTBOX_MAX_MB: Type.Integer({ minimum: 8, default: 1024, description: 'disk that waiting samples may take' }),
  CONTROL_LEASE_S: Type.Integer({
    minimum: 1,
    maximum: maxLeaseS,
    default: defaultLeaseS,
    description: 'how long a command holds that does not say it',
  }),
  CONTROL_EXPERIMENTAL: Type.Optional(
    Type.Boolean({
      description: 'no longer used: confirm each device instead, with ohmstead device confirm or on its page',
    }),
  ),
  HARVEST_MS: Type.Integer({
    minimum: 100,
    default: 1000,
    description: 'time from the beginning of one reading of a Modbus device to that of the next',
  }),
  MIN_FREE_KB: Type.Integer({ minimum: 0, default: 55, description: 'memory that must be free to add a device' }),
  MDNS: Type.Boolean({ default: true, description: 'announce the gateway on the local network' }),
  MDNS_NAME: Type.Optional(
    Type.String({
      maxLength: 63,
      description: 'name to announce; zap-<serial> when not given',
      examples: ['cellar'],
    }),
  ),
  REBOOT: Type.Enum(['restart', 'exit', 'machine'], {
    default: 'restart',
    description: 'what a reboot restarts: the gateway in place, the process by its service manager, or the machine',
  }),
  ...logSettings,
});
export type GatewayConfig = Static<typeof GatewayConfig>;
