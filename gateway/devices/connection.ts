import { type ConnectionType, connectionTypes, type Parameter } from '#contract/gateway/connections.ts';
import { type FieldError, fieldsProblem, Problem } from '#contract/problem.ts';
import type { LineSettings } from '../links/serial-line.ts';

export type ParameterValue = string | number;

/** How a device is reached: its connection type and the values of its parameters, defaults filled in. */
export type DeviceConnection = { type: ConnectionType } & Record<string, ParameterValue>;

export const parametersOf = (type: ConnectionType): readonly Parameter[] => connectionTypes[type].parameters;

const maxCharacters = 253;
const printable = /^[^\p{Cc}\p{Cs}]*$/u;

/** Checks the parameters of a request against the table; ignores unknown ones. */
export function readConnection(given: { type: ConnectionType } & Record<string, unknown>): DeviceConnection {
  const connection: DeviceConnection = { type: given.type };
  const errors: FieldError[] = [];
  for (const parameter of parametersOf(given.type)) {
    const said = given[parameter.name] === '' ? undefined : given[parameter.name]; // forms send empty fields
    const value = said ?? (parameter.isFound ? undefined : parameter.default);
    if (value === undefined && (!parameter.required || parameter.isFound)) continue;
    const fault = value === undefined ? 'is required' : faultOf(value, parameter);
    if (fault) errors.push({ path: `body.${parameter.name}`, message: fault });
    else connection[parameter.name] = value as ParameterValue;
  }
  if (errors.length > 0) throw fieldsProblem('invalid_request', errors);
  return connection;
}

function faultOf(value: unknown, parameter: Parameter): string | undefined {
  const { type, oneOf, pattern = printable, min: least = -Infinity, max: most = Infinity } = parameter;
  if (oneOf) return oneOf.includes(value as ParameterValue) ? undefined : `must be one of ${oneOf.join(', ')}`;
  if (type === 'string') {
    const isText = typeof value === 'string' && value.length <= maxCharacters && pattern.test(value);
    return isText ? undefined : `must be ${parameter.description ?? `text of at most ${maxCharacters} characters`}`;
  }
  if (!Number.isInteger(value)) return 'must be an integer';
  const isWithin = (value as number) >= least && (value as number) <= most;
  return isWithin ? undefined : `must be from ${least} to ${most}`;
}

/** Returns the parameters without secrets. */
export function withoutSecrets({ type, ...values }: DeviceConnection): Record<string, ParameterValue> {
  const secrets = new Set(parametersOf(type).flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)));
}

const parities = ['none', 'odd', 'even'] as const;

/** Returns the settings of a serial line. Modbus numbers the parities, P1 names them. */
export function lineSettingsOf({ baud_rate, data_bits, parity, stop_bits }: DeviceConnection): LineSettings {
  return {
    baudRate: Number(baud_rate),
    dataBits: Number(data_bits) as LineSettings['dataBits'],
    parity: typeof parity === 'number' ? parities[parity]! : (parity as LineSettings['parity']),
    stopBits: Number(stop_bits) as LineSettings['stopBits'],
  };
}

/** Adds the serial line of this gateway when none was given. */
export function completeConnection(
  connection: DeviceConnection,
  ports: { rs485: string | undefined; p1: string | undefined },
): DeviceConnection {
  if (connection.type === 'modbus_tcp' || connection.type === 'mqtt' || connection.serial_port) return connection;
  const [port, setting] = connection.type === 'p1_uart' ? [ports.p1, 'P1'] : [ports.rs485, 'RS485'];
  if (port) return { ...connection, serial_port: port };
  const remedy = `give serial_port, or set GATEWAY_${setting}_PORT`;
  throw new Problem('device_unreachable', `This gateway has no line of its own: ${remedy}.`);
}
