import { keysOf } from '../schema.ts';

/** A connection parameter. The form, the validation and the stored configuration are derived from it. */
export type Parameter = {
  name: string;
  type: 'string' | 'integer';
  required: boolean;
  default?: string | number;
  description?: string;
  /** allowed values */
  oneOf?: readonly (string | number)[];
  min?: number;
  max?: number;
  /** never returned by the API */
  isSecret?: true;
  /** detected by the gateway by default; the default only pre-fills a form */
  isFound?: true;
  pattern?: RegExp;
};

const parameter =
  (type: Parameter['type']) =>
  (name: string, options: Partial<Parameter> = {}): Parameter => ({ name, type, required: false, ...options });

const text = parameter('string');
const integer = parameter('integer');

const port = (name: string, fallback: number): Parameter =>
  integer(name, { required: true, default: fallback, min: 1, max: 65_535 });

const profile = text('profile', { required: true, description: 'one of GET /api/devices/supported' });

const unitId = integer('unit_id', { required: true, default: 1, min: 0, max: 255 });

const serialPort = text('serial_port', {
  pattern: /^(\/(?!.*\.\.)[\w./:+-]+|tcp:\/\/[\w.:[\]-]+:\d{1,5})$/,
  description:
    'path of a serial line, or tcp://host:port of a network adapter; by default the serial line of this gateway',
});

const meterKey = (name: string, description: string): Parameter =>
  text(name, { isSecret: true, pattern: /^[0-9a-f]{32}$/i, description });

export const connectionTypes = {
  modbus_tcp: {
    description: 'Modbus TCP connection',
    parameters: [text('ip', { required: true }), port('port', 502), unitId, profile],
  },
  modbus_rtu: {
    description: 'Modbus RTU connection over RS485',
    parameters: [
      integer('baud_rate', { required: true, default: 9600, min: 300, max: 1_000_000 }),
      unitId,
      profile,
      integer('parity', { default: 0, oneOf: [0, 1, 2], description: '0=None, 1=Odd, 2=Even' }),
      integer('data_bits', { default: 8, oneOf: [7, 8] }),
      integer('stop_bits', { default: 1, oneOf: [1, 2] }),
      serialPort,
    ],
  },
  p1_uart: {
    description: 'P1 Port (DSMR) connection',
    parameters: [
      text('manufacturer'),
      integer('baud_rate', {
        required: true,
        default: 115_200,
        min: 1,
        max: 4_000_000,
        isFound: true,
        description: 'line settings are detected if the baud rate is left out',
      }),
      integer('data_bits', { required: true, default: 8, oneOf: [5, 6, 7, 8] }),
      text('parity', { default: 'none', oneOf: ['none', 'even', 'odd'] }),
      integer('stop_bits', { default: 1, oneOf: [1, 2, '1.5'], description: '1, 2 or the text 1.5' }),
      serialPort,
      meterKey('decryption_key', 'for an encrypted meter: 32 hex digits, from the grid operator'),
      meterKey('authentication_key', 'for an encrypted meter with a separate authentication key: 32 hex digits'),
      text('profile', { default: 'p1_meter' }),
    ],
  },
  mqtt: {
    description: 'MQTT connection',
    parameters: [
      text('broker_host', { required: true }),
      port('broker_port', 1883),
      profile,
      text('username'),
      text('password', { isSecret: true }),
      text('client_id'),
    ],
  },
} as const satisfies Record<string, { description: string; parameters: readonly Parameter[] }>;

export type ConnectionType = keyof typeof connectionTypes;

export const connectionTypeNames: readonly ConnectionType[] = keysOf(connectionTypes);

export const localDeviceTypes = ['inverter', 'energy_meter', 'v2x_charger'] as const;
export type LocalDeviceType = (typeof localDeviceTypes)[number];
