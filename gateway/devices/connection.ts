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
    const { name, required, isFound } = parameter;
    const value = (given[name] === '' ? undefined : given[name]) ?? (isFound ? undefined : parameter.default); // forms send empty fields
    if (value === undefined && (!required || isFound)) continue;
    const fault = value === undefined ? 'is required' : faultOf(value, parameter);
    if (fault === undefined && isParameterValue(value)) connection[name] = value;
    else errors.push({ path: `body.${name}`, message: fault ?? 'must be text or a number' });
  }
  if (errors.length > 0) throw fieldsProblem('invalid_request', errors);
  return connection;
}

const isParameterValue = (value: unknown): value is ParameterValue =>
  typeof value === 'string' || typeof value === 'number';

function faultOf(value: unknown, parameter: Parameter): string | undefined {
  const { type, oneOf, pattern = printable, min: least = -Infinity, max: most = Infinity } = parameter;
  if (oneOf) return oneOf.some((one) => one === value) ? undefined : `must be one of ${oneOf.join(', ')}`;
  if (type === 'string') {
    const isText = typeof value === 'string' && value.length <= maxCharacters && pattern.test(value);
    return isText ? undefined : `must be ${parameter.description ?? `text of at most ${maxCharacters} characters`}`;
  }
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be an integer';
  return value >= least && value <= most ? undefined : `must be from ${least} to ${most}`;
}

/** Returns a parameter as text; undefined when it is not set. */
export const textOf = (value: ParameterValue | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

export function withoutSecrets({ type, ...values }: DeviceConnection): Record<string, ParameterValue> {
  const secrets = new Set(parametersOf(type).flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)));
}

const parities = ['none', 'odd', 'even'] as const;

function pick<Value extends ParameterValue>(allowed: readonly Value[], value: ParameterValue | undefined): Value {
  const found = allowed.find((one) => String(one) === String(value));
  if (found === undefined) throw new Error(`A serial line has no setting ${value}.`);
  return found;
}

/** Returns the settings of a serial line. Modbus numbers the parities, P1 names them. */
export const lineSettingsOf = ({ baud_rate, data_bits, parity, stop_bits }: DeviceConnection): LineSettings => ({
  baudRate: Number(baud_rate),
  dataBits: pick([5, 6, 7, 8], data_bits),
  parity: pick(parities, typeof parity === 'number' ? parities[parity] : parity),
  stopBits: pick([1, 1.5, 2], stop_bits),
});

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
