import { realpath } from 'node:fs/promises';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { errorCode } from '#lib/error-code.ts';
import { hostPort, LinkError } from '../links/link-error.ts';
import type { ModbusEndpoint } from '../links/modbus/buses.ts';
import { tcpEndpoint } from '../links/serial-line.ts';
import { type DeviceConnection, lineSettingsOf, textOf } from './connection.ts';

/** Returns the IP address of a host name; throws a Problem when the gateway may not connect to it. */
type Resolve = (host: string) => Promise<string>;

/** Where a device is, without host names, so that the watchdog can connect without DNS. */
export type DeviceAddress =
  | { kind: 'modbus'; endpoint: ModbusEndpoint; unitId: number; connectDelayMs: number }
  | { kind: 'mqtt'; host: string; port: number; username?: string; password?: string };

export async function resolveDeviceAddress(
  connection: DeviceConnection,
  { resolve, connectDelayMs = 0 }: { resolve: Resolve; connectDelayMs?: number | undefined },
): Promise<DeviceAddress> {
  const { type, unit_id, broker_host, broker_port } = connection;
  if (type === 'mqtt') {
    const [username, password] = [textOf(connection.username), textOf(connection.password)];
    return {
      kind: 'mqtt',
      host: await resolve(String(broker_host)),
      port: Number(broker_port),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    };
  }
  const endpoint = await resolveModbusEndpoint(connection, resolve);
  return { kind: 'modbus', endpoint, unitId: Number(unit_id), connectDelayMs };
}

export async function resolveModbusEndpoint(connection: DeviceConnection, resolve: Resolve): Promise<ModbusEndpoint> {
  const { type, ip, port, serial_port } = connection;
  if (type === 'modbus_tcp') return { host: await resolve(String(ip)), port: Number(port) };
  return { line: { port: await resolveKeptLine(String(serial_port), resolve), ...lineSettingsOf(connection) } };
}

/** Checks the path of a serial line, or replaces the host name of a network adapter by its address. */
export async function resolveLine(line: string, resolve: Resolve): Promise<string> {
  const adapter = adapterOf(line);
  if (!adapter) {
    await checkSerialPath(line);
    return line;
  }
  return `tcp://${hostPort(await resolve(adapter.host), adapter.port)}`;
}

/** Like `resolveLine` for a device that was added earlier: an invalid path is a link error, not an invalid request. */
export async function resolveKeptLine(line: string, resolve: Resolve): Promise<string> {
  try {
    return await resolveLine(line, resolve);
  } catch (error) {
    if (!(error instanceof Problem && error.details.errors)) throw error;
    const sentence = `${line} is not a serial line now: plug the adapter in, or add the device again with its new path.`;
    throw new LinkError(sentence, { cause: error });
  }
}

function adapterOf(line: string): ReturnType<typeof tcpEndpoint> {
  try {
    return tcpEndpoint(line);
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    throw fieldProblem('invalid_request', 'body.serial_port', error.message);
  }
}

const deviceFolder = '/dev/';

/** Refuses a path outside /dev, following links, so that the API cannot be used to open other files. */
async function checkSerialPath(path: string): Promise<void> {
  try {
    if ((await realpath(path)).startsWith(deviceFolder)) return;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && path.startsWith(deviceFolder)) return; // not plugged in
  }
  throw fieldProblem('invalid_request', 'body.serial_port', `${path} is not a serial line; these are below /dev`);
}
