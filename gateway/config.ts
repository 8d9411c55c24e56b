import type { Static } from 'typebox';
import { defaultLeaseS, maxLeaseS } from '#contract/command.ts';
import { forms, probesPerMinute } from '#contract/gateway/form.ts';
import { Type } from '#contract/schema.ts';
import { logSettings } from '#lib/config/shared-settings.ts';

const text = (description: string, options: object) => Type.String({ ...options, description });
const optional = (description: string, options: object) => Type.Optional(text(description, options));
const integer = (description: string, options: object) => Type.Integer({ ...options, description });

const name = { minLength: 1, maxLength: 64 };
const broker = { pattern: '^(mqtts?|wss?)://', secret: true };
const line = { note: 'A path, or `tcp://host:port` of an adapter in the network.' };

export const GatewayConfig = Type.Object({
  GATEWAY_HOST: text('address of the local API', { default: '0.0.0.0' }),
  GATEWAY_PORT: integer('port of the local API, 0 for any', {
    minimum: 0,
    maximum: 65_535,
    default: 8081,
    note: 'When it is not set and 8081 is taken, the next free port is used and logged.',
  }),
  GATEWAY_DATA_DIR: text('folder of the key, the devices and the outbox', { default: './data/gateway' }),
  GATEWAY_FORM: Type.Enum([...forms], {
    default: 'later',
    description: 'form of the local API where the two forms differ',
  }),
  GATEWAY_INFO_KEYS: text('names under which GET /api/system also shows gateway_info, comma separated', {
    default: 'zap',
    pattern: '^[A-Za-z0-9_-]*(,[A-Za-z0-9_-]+)*$',
  }),
  GATEWAY_NAME: text('value of `deviceName` in the local API; existing drivers expect the default', {
    default: 'software_zap',
    ...name,
  }),
  GATEWAY_DISPLAY_NAME: optional('display name, on the pages and as gateway_info.name; GATEWAY_NAME when not set', {
    ...name,
    examples: ['Cellar'],
  }),
  GATEWAY_SERIAL_PREFIX: text('start of the serial; the rest proves the key', {
    default: 'ohm',
    pattern: '^[A-Za-z0-9_:]{1,32}$',
  }),
  GATEWAY_NAMES: text(
    'host names, comma separated, by which browsers may call this gateway, besides its addresses and *.local',
    { default: '' },
  ),
  GATEWAY_TARGETS: text('networks (CIDR), comma separated, that devices may be in besides private ones; * for any', {
    format: 'networks',
    default: '',
  }),
  GATEWAY_SCAN: text(
    'what a search for devices covers, comma separated: local for the networks of this machine, other networks (CIDR), ' +
      'and addresses, each with or without a port',
    { default: 'local', examples: ['local,192.168.20.0/24,10.1.2.3:1502'] },
  ),
  GATEWAY_RS485_PORT: optional('serial line of Modbus RTU devices', { ...line, examples: ['/dev/ttyUSB0'] }),
  GATEWAY_P1_PORT: optional('serial line of the P1 meter', { ...line, examples: ['/dev/ttyUSB1'] }),
  LOCAL_API: Type.Enum(['open', 'guarded'], {
    default: 'open',
    description:
      'whether every call is allowed (open), or calls that affect power, ownership, network, secrets or storage need the local token (guarded)',
  }),
  LOCAL_TOKEN: optional(
    'local token of a guarded gateway; created at the first start in the data folder when not given',
    {
      minLength: 16,
      secret: true,
      note: 'At least 16 characters. Its file is `local-token`.',
    },
  ),
  RATE_LOCAL: integer('requests per minute for each address', { minimum: 1, default: 120_000 }),
  RATE_PROBES: integer('port checks, ad-hoc Modbus reads and detections per minute, all callers together', {
    minimum: 1,
    default: probesPerMinute,
  }),
  CLOUD_URL: optional('address of the platform; its pages may read this gateway and request a signature', {
    pattern: '^https?://[^\\s?#]+$',
    examples: ['https://energy.example.org'],
  }),
  UPLINK_URL: optional('broker of the platform; the one set by POST /api/system/mqtt takes precedence', broker),
  UPLINK_FALLBACK_URL: optional('broker to use while the first is unreachable', broker),
  UPLINK_CA: optional('certificates in PEM to verify the broker with; those of the system when not set', {
    format: 'certificates',
  }),
  UPLINK_ACK: Type.Enum(['platform', 'broker'], {
    default: 'platform',
    description:
      'whose acknowledgement removes a sample: that of the platform, or that of the broker where the platform sends none',
  }),
  HOME_ASSISTANT_URL: optional(
    'broker of Home Assistant, with user and password, where the devices appear; off when not given',
    {
      pattern: '^mqtts?://[^\\s/]',
      secret: true,
      note: '[Home Assistant](home-assistant.md) describes what appears.',
      examples: ['mqtt://ohmstead:password@homeassistant.local'],
    },
  ),
  HOME_ASSISTANT_PREFIX: text('topic on that broker where Home Assistant looks for devices', {
    default: 'homeassistant',
    pattern: '^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$',
  }),
  HOME_ASSISTANT_CA: optional('certificates in PEM to verify this broker with; those of the system when not set', {
    format: 'certificates',
  }),
  OUTBOX_MAX_MB: integer('disk space for waiting samples', { minimum: 8, default: 1024 }),
  CONTROL_LEASE_S: integer('lease of a command that does not specify one', {
    minimum: 1,
    maximum: maxLeaseS,
    default: defaultLeaseS,
  }),
  CONTROL_EXPERIMENTAL: Type.Optional(
    Type.Boolean({
      description: 'not used any more: confirm each device instead, with ohmstead device confirm or on its page',
    }),
  ),
  HARVEST_MS: integer('interval between readings of a Modbus device', {
    minimum: 100,
    default: 1000,
  }),
  MIN_FREE_KB: integer('free memory required to add a device', { minimum: 0, default: 55 }),
  MDNS: Type.Boolean({ default: true, description: 'announce the gateway on the local network' }),
  MDNS_NAME: optional('name to announce; zap-<serial> when not set', { maxLength: 63, examples: ['cellar'] }),
  REBOOT: Type.Enum(['restart', 'exit', 'machine'], {
    default: 'restart',
    description: 'what a reboot restarts: the gateway in place, the process by its service manager, or the machine',
  }),
  ...logSettings,
});
export type GatewayConfig = Static<typeof GatewayConfig>;
