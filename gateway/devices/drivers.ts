import { realpath } from 'node:fs/promises';
import type { Clock } from '#lib/clock.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import type { Profile } from '../profiles/index.ts';
import type { DeviceConnection } from './connection.ts';
import type { Driver, Found } from './driver.ts';
import { createModbusDriver } from './modbus-driver.ts';
import { createMqttDriver } from './mqtt-driver.ts';
import { createP1Driver } from './p1-driver.ts';
import { resolveKeptLine, resolveLine } from './resolve-address.ts';

export type DriversDeps = {
  findProfile(id: string): Profile | undefined;
  buses: ModbusBuses;
  /** returns the address of a host name; throws when the gateway may not connect to it */
  resolve(host: string): Promise<string>;
  clock: Clock;
  harvestMs: number;
};

export function createDrivers({ findProfile, buses, resolve, clock, harvestMs }: DriversDeps) {
  const resolvePort = (port: string): Promise<string> => resolveKeptLine(port, resolve);

  return {
    open(connection: DeviceConnection, found?: Found): Driver {
      const profile = findProfile(String(connection.profile));
      if (!profile) throw new Error(`Unknown profile ${connection.profile}.`);
      if ('recognise' in profile) {
        return createModbusDriver(connection, profile, { buses, clock, resolve, harvestMs });
      }
      if ('listen' in profile) return createMqttDriver(connection, profile, { clock, resolve });
      return createP1Driver(connection, { clock, resolvePort, known: found?.line });
    },
    /** Returns the connection with the address in place of the host name; throws a Problem when the gateway may not connect to it. */
    async resolveTarget(connection: DeviceConnection): Promise<DeviceConnection> {
      const { type, ip, broker_host, serial_port } = connection;
      if (type === 'modbus_tcp') return { ...connection, ip: await resolve(String(ip)) };
      if (type === 'mqtt') return { ...connection, broker_host: await resolve(String(broker_host)) };
      const line = await resolveLine(String(serial_port), resolve);
      return { ...connection, serial_port: await realpath(line).catch(() => line) }; // udev links to the line by several names
    },
  };
}
