import type { Static } from 'typebox';
import { Type } from '#contract/schema.ts';
import { logSettings, pageSettings, proxySettings } from '#lib/config/shared-settings.ts';

const optionalText = (options: NonNullable<Parameters<typeof Type.String>[0]>) => Type.Optional(Type.String(options));

const ports = { minimum: 0, maximum: 65_535 };

const movingPort = (fallback: number, description: string) =>
  Type.Integer({
    ...ports,
    default: fallback,
    description,
    note: `When it is not set and ${fallback} is taken, the next free port is used and logged.`,
  });

const days = (fallback: number, description: string) =>
  Type.Number({ exclusiveMinimum: 0, default: fallback, description });

const count = (fallback: number, description: string, note?: string) =>
  Type.Integer({ minimum: 1, default: fallback, description, ...(note && { note }) });

const perMinute = (fallback: number, what: string) => count(fallback, `requests per minute ${what}`);

const quota = (fallback: number, what: string, note?: string) => count(fallback, `quota: ${what}`, note);

const settings = {
  HOST: Type.String({ default: '127.0.0.1', description: 'address to listen on' }),
  CLOUD_PORT: movingPort(8080, 'port to listen on, 0 for any'),
  PUBLIC_URL: optionalText({
    pattern: '^https?://[^\\s?#]+$',
    description: 'URL of this platform for clients; http://localhost:<port> when not set',
    examples: ['https://energy.example.org'],
  }),
  DATA_DIR: Type.String({
    default: './data',
    description: 'folder of the database and the keys',
    note: 'Created with mode 0700 when missing. Only one process at a time can use it.',
  }),
  DATABASE_URL: optionalText({
    pattern: '^postgres(ql)?://',
    secret: true,
    description: 'PostgreSQL instead of the embedded database',
    note: '`postgres://…` in place of SQLite in the data folder. `postgres://user@a:5432,b:5432/db` uses the primary among several servers ([standby](running.md#a-standby-for-postgresql)).',
  }),
  TELEMETRY_URLS: optionalText({
    pattern: '^[a-z0-9-]+=postgres(ql)?://[^\\s]+$',
    secret: true,
    description: 'further PostgreSQL servers for telemetry, as name=url, comma separated; needs DATABASE_URL',
    note: 'Names of lower-case letters, digits and hyphens; the server of `DATABASE_URL` is called `main`. The same in every process. [running.md](running.md#moving-partitions-of-telemetry) explains how to use them.',
    examples: [
      'east=postgres://telemetry@east.example.org/telemetry,west=postgres://telemetry@west.example.org/telemetry',
    ],
  }),
  TELEMETRY_PARTITIONS: Type.Integer({
    minimum: 1,
    maximum: 1024,
    default: 64,
    description: 'partitions of telemetry in a new PostgreSQL database, at most 1024',
    note: 'A database keeps the number it was created with.',
  }),
  INTERNAL_TOKEN: optionalText({
    minLength: 16,
    secret: true,
    description: 'secret of the broker callouts; created in the data folder at the first start when not set',
    note: 'Required by `/internal/mqtt/*`, at least 16 characters. Its file is `internal-token`. Needed with `BROKER_URL`: RabbitMQ and all processes share it.',
  }),
  MQTT_PORT: movingPort(1883, 'port of the embedded broker, 0 for any'),
  MQTT_HOST: Type.String({ default: '127.0.0.1', description: 'address of the embedded broker' }),
  MQTT_WEBSOCKET_PORT: Type.Optional(
    Type.Integer({
      ...ports,
      description: 'port of the embedded broker over WebSocket; disabled when not set',
      examples: [8083],
    }),
  ),
  MQTT_TLS_PORT: Type.Integer({ ...ports, default: 8883, description: 'port of the embedded broker over TLS' }),
  MQTT_TLS_CERT: optionalText({
    format: 'certificates',
    description: 'certificate chain in PEM; with it and its key the embedded broker also accepts TLS',
    note: 'Preferably set by a file with `MQTT_TLS_CERT_FILE`.',
  }),
  MQTT_TLS_KEY: optionalText({
    format: 'private key',
    secret: true,
    description: 'private key of the certificate in PEM',
    note: 'Preferably set by a file with `MQTT_TLS_KEY_FILE`.',
  }),
  MQTT_ORIGINS: optionalText({
    pattern: '^(mqtts?|wss?)://[^\\s,/@]+(,(mqtts?|wss?)://[^\\s,/@]+)*$',
    description: 'origins by which gateways name the broker, comma separated; its own listeners when not set',
    note: 'Scheme, host and port as in `UPLINK_URL` of the gateways. A list replaces the defaults, which [running.md](running.md#how-gateways-name-the-broker) explains.',
    examples: ['mqtts://energy.example.org:8883,mqtt://192.168.1.10:1883'],
  }),
  GATEWAY_TOKENS_WITHOUT_AUDIENCE: Type.Boolean({
    default: true,
    description: 'accept broker tokens of other makers’ gateways that do not name the broker they were made for',
    note: 'Our own gateways may omit it until their first token that names it, whatever the setting, so that those of version 0.1.0 keep working.',
  }),
  BUS_URL: optionalText({
    pattern: '^amqps?://',
    secret: true,
    description: 'RabbitMQ between several processes of the platform: the AMQP addresses of its nodes, comma separated',
    note: 'Each process has an embedded broker; a balancer spreads gateways over them. Needs `DATABASE_URL`. [scaling.md](scaling.md) explains it.',
  }),
  BROKER_URL: optionalText({
    pattern: '^amqps?://',
    secret: true,
    description: 'RabbitMQ instead of the embedded broker: the AMQP addresses of its nodes, comma separated',
  }),
  BROKER_MANAGEMENT_URL: optionalText({
    pattern: '^https?://',
    secret: true,
    description: 'addresses of the management interface of RabbitMQ, comma separated; needed with BROKER_URL',
    note: 'With user and password.',
  }),
  DRAIN_SECONDS: Type.Number({
    minimum: 0,
    maximum: 600,
    default: 0,
    description: 'time over which the connections of the embedded broker are ended when the process stops',
    note: 'For a platform with several processes: gateways connect to the others one after another. Meanwhile `/ready` answers 503. The service manager has to wait 15 s longer than this.',
  }),
  PRICE_URL: optionalText({
    pattern: '^https?://[^\\s?#]+$',
    description:
      'address of a price service that calculates bills; by default this process does, with the prices it serves',
    note: 'Several processes can share one, so that each price is fetched once.',
    examples: ['http://localhost:8082'],
  }),
  WEATHER_SOURCES: Type.String({
    default: '',
    pattern: '^((open-meteo|met-no)(,(open-meteo|met-no))*)?$',
    description: 'weather for the forecasts of plans, comma separated in the order of use: open-meteo, met-no',
    note: 'Without it, no source is contacted. Sources get positions of sites, rounded to 0.1°. Check their terms of use.',
    examples: ['open-meteo,met-no'],
  }),
  WEATHER_CONTACT: optionalText({
    pattern: '^[\\x21-\\x7e]+$',
    description: 'e-mail address or URL of the operator, sent to met-no; without it, that source is not used',
    examples: ['operator@example.org'],
  }),
  WEATHER_SOURCE_URLS: Type.String({
    default: '',
    pattern: '^((open-meteo|met-no)=https?://[^\\s,]+(,(open-meteo|met-no)=https?://[^\\s,]+)*)?$',
    description: 'alternative addresses for weather sources, as id=url, comma separated',
  }),
  SMTP_URL: optionalText({
    pattern: '^smtps?://[^\\s]+$',
    secret: true,
    description: 'mail server for alerts; without it they are not sent by e-mail',
    note: '`smtps://user:password@host:465`, or `smtp://…:587`, which uses STARTTLS where the server offers it.',
    examples: ['smtps://alerts:password@mail.example.org:465'],
  }),
  SMTP_FROM: optionalText({
    pattern: '^[^\\r\\n]*[^\\s<>@]+@[^\\s<>@]+>?$',
    description: 'sender of e-mail; needed with SMTP_URL',
    examples: ['Ohmstead <alerts@example.org>'],
  }),
  NTFY_URL: optionalText({
    pattern: '^https?://[^\\s?#]+$',
    description: 'ntfy server for topics that are given by name; without it a topic is given by its URL',
    note: 'It may be in a private network.',
    examples: ['https://ntfy.example.org'],
  }),
  ALERTS_PRIVATE_NETWORKS: Type.Boolean({
    default: false,
    description: 'whether webhooks and topics may have addresses in private networks, such as that of this platform',
    note: 'For a platform at home, whose users may reach everything that it reaches.',
  }),
  RAW_DAYS: days(30, 'how long raw readings are kept'),
  MINUTES_DAYS: days(365, 'how long minute rollups are kept'),
  HOURS_DAYS: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: 'how long hour rollups are kept; forever when not set',
      examples: [3650],
    }),
  ),
  COMMANDS_DAYS: days(90, 'how long commands are kept after their end'),
  ...logSettings,
  ...pageSettings,
  ...proxySettings,
  TOKEN_HOURS: Type.Number({
    exclusiveMinimum: 0,
    maximum: 8760,
    default: 24,
    description: 'life of an access token, at most 8760',
    note: 'Tokens that are valid for longer are refused, including those issued before the setting was lowered.',
  }),
  KEY_ROTATION_DAYS: days(90, 'age at which the key that signs tokens is replaced'),
  GATEWAY_TRUST: Type.Enum(['first-claim', 'listed'], {
    default: 'first-claim',
    description:
      'how a serial that is not derived from a key gets its key: from its first claim, or only from the list of the operator',
  }),
  SELF_PROVING_PREFIXES: Type.String({
    pattern: '^([A-Za-z0-9_:]{1,32}(,[A-Za-z0-9_:]{1,32})*)?$',
    default: 'ohm',
    description: 'serial prefixes, comma separated, whose serials must match their key',
    note: 'A serial `<prefix>-…` must be the prefix and the first 16 hex digits of the SHA-256 of its key.',
  }),
  NEARBY_GATEWAYS: Type.Boolean({
    default: false,
    description: 'find gateways on the local network of this machine, for people who are on it too and set up a home',
    note: '`ohmstead up --without-simulation` switches it on. Leave it off where the internet reaches this platform through a proxy or tunnel that does not say where a request comes from; SECURITY.md explains why.',
  }),
  PUBLIC_MIN_SITES: count(1, 'sites a map cell needs before it is shown', 'SECURITY.md explains why to raise it.'),
  MAX_FIELDS_PER_DER: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 256,
    description: 'distinct field names of a DER that are stored, at most 1000',
    note: 'Further fields are left out of its readings and counted as `too_many_fields` at the gateway.',
  }),
  RATE_ORDINARY: perMinute(120_000, 'for each identity, or each address without a token'),
  RATE_REGISTER: perMinute(300, 'to register, for each address'),
  RATE_LOGIN: perMinute(1200, 'to ask for or verify a challenge, for each address'),
  RATE_CLAIM: perMinute(600, 'to claim gateways, for each identity'),
  RATE_CONTROL: perMinute(600, 'to command devices, for each identity'),
  RATE_ALERTS: perMinute(20, 'to add, confirm and test receivers of alerts, for each identity'),
  STREAMS_PER_IDENTITY: count(1000, 'streams that an identity may have open at once'),
  ORGANIZATIONS_PER_IDENTITY: quota(100, 'existing organizations that one identity has created'),
  SITES_PER_ORGANIZATION: quota(10_000, 'sites of an organization'),
  GATEWAYS_PER_ORGANIZATION: quota(10_000, 'gateways claimed by an organization'),
  DEVICES_PER_ORGANIZATION: quota(50_000, 'devices of an organization, orphaned ones included'),
  DEVICES_PER_GATEWAY: quota(1000, 'devices provisioned on one gateway'),
  DERS_PER_DEVICE: quota(64, 'DERs of one device'),
  INVITATIONS_PER_ORGANIZATION: quota(500, 'open invitations of an organization'),
  OAUTH_CLIENTS_PER_ORGANIZATION: quota(100, 'applications registered by an organization'),
  ALERT_CHANNELS_PER_IDENTITY: quota(20, 'browsers and e-mail addresses of a person that receive alerts'),
  ALERT_HOOKS_PER_SITE: quota(10, 'webhooks and topics of a site'),
  TELEMETRY_MB_PER_DAY: quota(
    100_000,
    'megabytes (1 000 000 bytes) of readings that an organization may store in a UTC day',
    'Readings beyond it are dropped for good: counted as `quota` and acknowledged. Counted by message; several processes may exceed it by what they store in a minute.',
  ),
};

export const CloudConfig = Type.Object(settings, {
  dependentRequired: {
    TELEMETRY_URLS: ['DATABASE_URL'],
    MQTT_TLS_CERT: ['MQTT_TLS_KEY'],
    MQTT_TLS_KEY: ['MQTT_TLS_CERT'],
    BROKER_URL: ['BROKER_MANAGEMENT_URL', 'INTERNAL_TOKEN'],
    BUS_URL: ['DATABASE_URL'],
    SMTP_URL: ['SMTP_FROM'],
  },
  certificatesOf: { MQTT_TLS_KEY: 'MQTT_TLS_CERT' },
});
export type CloudConfig = Static<typeof CloudConfig>;
