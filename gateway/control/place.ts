import type { Connection } from '../devices/connection.ts';
import { modbusEndpointOf } from '../devices/modbus-endpoint.ts';
import type { ModbusEndpoint } from '../links/modbus/buses.ts';

/** Where a device is, without names that have to be looked up: the watchdog goes there by itself. */
export type Place =
  | { kind: 'modbus'; endpoint: ModbusEndpoint; unitId: number; connectDelayMs: number }
  | { kind: 'mqtt'; host: string; port: number; username?: string; password?: string };

type Resolve = (host: string) => Promise<string>;

/** `resolve` gives the address that a name stands for, and throws when it may not be called. */
export async function placeOf(
  connection: Connection,
  { resolve, connectDelayMs = 0 }: { resolve: Resolve; connectDelayMs?: number | undefined },
): Promise<Place> {
  const { type, unit_id, broker_host, broker_port, username, password } = connection;
  if (type === 'mqtt') {
    return {
      kind: 'mqtt',
      host: await resolve(String(broker_host)),
      port: Number(broker_port),
      ...(username !== undefined && { username: String(username) }),
      ...(password !== undefined && { password: String(password) }),
    };
  }
  const endpoint = await modbusEndpointOf(connection, resolve);
  return { kind: 'modbus', endpoint, unitId: Number(unit_id), connectDelayMs };
}
