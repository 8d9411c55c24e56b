import { type ConnectionType, connectionTypeNames, connectionTypes, localDeviceTypes } from './gateway/connections.ts';
import { confidences, DerChange } from './gateway/devices.ts';
import { derKinds } from './gateway/reading.ts';
import { dropReasons } from './gateway/status.ts';
import { type FieldError, type ProblemCode, problemCodes } from './problem.ts';
import {
  CountsOf,
  IntegerIn,
  NumberIn,
  OneOf,
  optional,
  Sn,
  type Static,
  Text,
  Titled,
  type TSchema,
  Type,
} from './schema.ts';

/** Requests of the platform to a gateway through its broker, and their answers. See docs/decisions/0032-remote-management.md. */

const Ms = (description?: string) => IntegerIn(0, 8.64e15, description ?? 'ms since 1970');
const Count = (description?: string) => IntegerIn(0, 1e12, description);
const Watts = NumberIn(-1e9, 1e9, 'W');
const Fraction = NumberIn(-10, 10);
const maxDevices = 100;

/** The newest reading of a DER, only its power and its state of charge. */
const LatestReading = Type.Object({
  timestamp: Ms(),
  ...optional({ W: Watts, SoC_nom_fract: Fraction, vehicle_soc_fract: Fraction }),
});

const ManagedDer = Type.Object({
  type: OneOf(derKinds),
  enabled: Type.Boolean({ description: 'whether its readings are sent to the platform' }),
  ...optional({
    rated_power: NumberIn(0, 1e9, 'W'),
    installed_power: NumberIn(0, 1e9, 'W; panels'),
    capacity: NumberIn(0, 1e9, 'Wh'),
    latest: LatestReading,
  }),
});

export const ManagedDevice = Titled('ManagedDevice', {
  sn: Sn,
  type: OneOf(connectionTypeNames),
  profile: Text(64),
  name: Text(128, 'the product, as the gateway calls it'),
  device_type: OneOf(localDeviceTypes),
  connected: Type.Boolean(),
  error: Type.Optional(Text(500, 'why it is not connected')),
  ders: Type.Array(ManagedDer, { maxItems: 16 }),
});
export type ManagedDevice = Static<typeof ManagedDevice>;

export const ManagedDevices = Titled('ManagedDevices', {
  devices: Type.Array(ManagedDevice, { maxItems: maxDevices }),
});

const parameterNames = new Set(
  Object.values(connectionTypes).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
);

/** As POST /api/devices of a gateway, with the parameters of contract/gateway/connections.ts. */
export const NewManagedDevice = Type.Unsafe<{ type: ConnectionType } & Partial<Record<string, string | number>>>(
  Type.Object(
    {
      type: OneOf(connectionTypeNames),
      ...optional(
        Object.fromEntries(
          [...parameterNames].map((name) => [
            name,
            Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 253 }),
          ]),
        ),
      ),
    },
    { examples: [{ type: 'modbus_tcp', profile: 'sungrow', ip: '192.168.1.20' }] },
  ),
);

export const AddedDevice = Titled('AddedDevice', {
  device: ManagedDevice,
  added: Type.Boolean({ description: 'false if the gateway already had this device' }),
});

/** Maximum number of products that one scan reports. */
export const maxFound = 64;

const FoundDevice = Titled('FoundDevice', {
  connection: Type.Object(
    {
      type: OneOf(connectionTypeNames),
      profile: Text(64),
      ...optional({
        ip: Text(253),
        port: IntegerIn(1, 65_535),
        unit_id: IntegerIn(0, 255),
        serial_port: Text(253),
        baud_rate: IntegerIn(1, 4_000_000),
      }),
    },
    { description: 'the body that adds the device' },
  ),
  name: Text(128, 'the product, as the gateway calls it'),
  device_type: OneOf(localDeviceTypes),
  confidence: OneOf(confidences),
  reason: Text(500, 'why the profile fits'),
  ...optional({
    serial: Text(128, 'serial number that the device reports'),
    sn: Sn,
  }),
});
export type FoundDevice = Static<typeof FoundDevice>;

export const GatewayScan = Titled('GatewayScan', {
  state: OneOf(['none', 'running', 'done'], { description: 'none: no scan since the gateway started' }),
  places: Type.Array(Text(128), {
    maxItems: 32,
    description: 'networks, addresses and serial lines that are searched',
  }),
  checked: Count(),
  total: Count('number of addresses and lines to check; grows when something answers'),
  found: Type.Array(FoundDevice, {
    maxItems: maxFound,
    description: 'has `sn` if the gateway already reads the device',
  }),
  ...optional({ started_at: Ms(), ended_at: Ms() }),
});
export type GatewayScan = Static<typeof GatewayScan>;

export const GatewayStatus = Titled('GatewayStatus', {
  version: Text(64),
  connected: Type.Boolean({ description: 'whether its uplink is connected' }),
  sending: Type.Boolean({ description: 'whether the readings of at least one DER are sent' }),
  waiting: Count('samples in the outbox that the platform has not acknowledged'),
  outbox_bytes: Count(),
  dropped: CountsOf(dropReasons, { description: 'dropped samples by reason' }),
  devices: Count(),
  devices_connected: Count(),
  errors: Type.Array(Type.Object({ at: Ms(), message: Text(300) }), {
    maxItems: 10,
    description: 'the last warnings and errors of its log, newest first',
  }),
  ...optional({
    broker: Text(300, 'the broker in use, without its password'),
    oldest: Ms('ms; timestamp of the oldest waiting sample'),
    acknowledged_at: Ms('ms; last acknowledgement of the platform'),
  }),
});
export type GatewayStatus = Static<typeof GatewayStatus>;

type Operation = { args: TSchema; result: TSchema; changes: boolean };

const nothing = Type.Object({});

/** Everything that the platform may ask; a gateway refuses any other operation. */
export const operations = {
  status: { args: nothing, result: GatewayStatus, changes: false },
  list_devices: { args: nothing, result: ManagedDevices, changes: false },
  scan_status: { args: nothing, result: GatewayScan, changes: false },
  scan: { args: nothing, result: GatewayScan, changes: true },
  add_device: { args: NewManagedDevice, result: AddedDevice, changes: true },
  change_device: {
    args: Type.Object({ sn: Sn, ders: Type.Array(DerChange, { maxItems: 16 }) }),
    result: ManagedDevice,
    changes: true,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export type ArgsOf<Name extends OperationName> = Static<(typeof operations)[Name]['args']>;
export type ResultOf<Name extends OperationName> = Static<(typeof operations)[Name]['result']>;

/** Type of the JSON Web Signature of a request, so that no other token of the platform is accepted as one. */
export const requestType = 'ohmstead-manage';

export const ManageRequest = Type.Object({
  iss: Text(128, 'deployment id of the platform'),
  aud: Text(64, 'serial of the gateway'),
  jti: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'unique; answers name it' }),
  iat: Type.Integer({ description: 'seconds since 1970' }),
  exp: Type.Integer({ description: 'at most 60 s after iat' }),
  org: Text(64, 'organization on whose behalf it is asked'),
  by: Text(64, 'identity that asks'),
  op: Text(32),
  args: Type.Unknown(),
});
export type ManageRequest = Static<typeof ManageRequest>;

export const requestLifeS = 60;
export const maxRequestBytes = 16 * 1024;
export const maxAnswerBytes = 128 * 1024;

/** Type of the JSON Web Signature with which the platform publishes its signing keys to a gateway. */
export const keysType = 'ohmstead-keys';

export const PlatformKeys = Type.Object({
  iss: Text(128),
  iat: Type.Integer(),
  keys: Type.Array(Type.Object({ kid: Text(64), x: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) }), {
    minItems: 1,
    maxItems: 16,
    description: 'Ed25519 public keys',
  }),
});
export type PlatformKeys = Static<typeof PlatformKeys>;

/** Why a gateway refuses; anything else is an error of the gateway. */
export const refusalCodes = [
  'management_refused',
  'invalid_request',
  'not_found',
  'conflict',
  'rate_limited',
  'device_unreachable',
  'device_failed',
  'device_busy',
  'insufficient_memory',
  'storage_failed',
  'internal_error',
] as const satisfies readonly ProblemCode[];
export type RefusalCode = (typeof refusalCodes)[number];

const Refusal = Type.Object({
  code: OneOf(problemCodes),
  message: Text(1000),
  errors: Type.Optional(
    Type.Unsafe<FieldError[]>(Type.Array(Type.Object({ path: Text(200), message: Text(300) }), { maxItems: 20 })),
  ),
});

/** An accepted request is answered a second time, with its result or the reason for failing. */
export const ManageAnswer = Type.Object({
  id: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
  ...optional({ accepted: Type.Boolean(), result: Type.Unknown(), error: Refusal }),
});
export type ManageAnswer = Static<typeof ManageAnswer>;
