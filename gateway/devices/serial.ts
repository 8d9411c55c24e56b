import { hash } from 'node:crypto';
import type { DeviceConnection } from './connection.ts';

const usualPort = 502; // of Modbus

/** Returns a key for where a device is connected. */
export function connectionKey(connection: DeviceConnection): string {
  switch (connection.type) {
    case 'modbus_tcp':
      return `tcp ${connection.ip}:${connection.port} unit ${connection.unit_id}`;
    case 'modbus_rtu':
      return `line ${connection.serial_port} unit ${connection.unit_id}`;
    case 'p1_uart':
      return `line ${connection.serial_port}`;
    case 'mqtt':
      return `broker ${connection.broker_host}:${connection.broker_port} ${connection.profile}`;
  }
}

/** Only one device may be at a plug; units share a serial line with one another, a P1 meter shares it with nobody. */
export const clashes = (plug: string, other: string): boolean =>
  plug === other || plug.startsWith(`${other} unit `) || other.startsWith(`${plug} unit `);

type Naming = {
  taken(sn: string): boolean;
  /** the serial line that is used when a device names none */
  ownLine?: string | undefined;
};

/** Names a device without a serial number. Only the name of the first at an address depends on the order. */
export function fallbackSerial(connection: DeviceConnection, { taken, ownLine }: Naming): string {
  const { type, profile, ip, port, broker_host, broker_port, serial_port, unit_id } = connection;
  const ofLine = (): string => hash('sha256', String(serial_port)).slice(0, 8);
  const host = ip ?? broker_host ?? 'rs485';
  const plain = type === 'p1_uart' ? 'p1_meter' : `${profile}_${host}`;
  if (!taken(plain)) return plain;
  switch (type) {
    case 'modbus_tcp':
      return `${plain}_${unit_id}${port === usualPort ? '' : `_${port}`}`;
    case 'modbus_rtu':
      return `${plain}_${unit_id}${serial_port === ownLine ? '' : `_${ofLine()}`}`;
    case 'mqtt':
      return `${plain}_${broker_port}`;
    case 'p1_uart':
      return `p1m-${ofLine()}`;
  }
}
