import type { ModbusEndpoint } from '../links/modbus/buses.ts';
import { type Connection, lineSettingsOf } from './connection.ts';
import { resolveKeptLine } from './resolve-line.ts';

/** Where a Modbus device that was added is now; `resolve` gives the address of a name, and throws when it may not be called. */
export async function modbusEndpointOf(
  connection: Connection,
  resolve: (host: string) => Promise<string>,
): Promise<ModbusEndpoint> {
  const { type, ip, port, serial_port } = connection;
  if (type === 'modbus_tcp') return { host: await resolve(String(ip)), port: Number(port) };
  return { line: { port: await resolveKeptLine(String(serial_port), resolve), ...lineSettingsOf(connection) } };
}
