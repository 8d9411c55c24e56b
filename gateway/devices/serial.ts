import { hash } from 'node:crypto';
import type { Connection } from './connection.ts';

/** Where a device is plugged in. */
export function placeOf(connection: Connection): string {
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

/** Only one device may be at a place; units share a serial line with one another, a P1 meter shares it with nobody. */
export const clashes = (place: string, other: string): boolean =>
  place === other || place.startsWith(`${other} unit `) || other.startsWith(`${place} unit `);

/** The name of a device that does not tell its serial. */
export function fallbackSerial(connection: Connection, taken: (sn: string) => boolean): string {
  const { type, profile, ip, broker_host, serial_port, unit_id } = connection;
  if (type === 'p1_uart') {
    return taken('p1_meter') ? `p1m-${hash('sha256', String(serial_port)).slice(0, 8)}` : 'p1_meter';
  }
  const plain = `${profile}_${ip ?? broker_host ?? 'rs485'}`;
  return taken(plain) && unit_id !== undefined ? `${plain}_${unit_id}` : plain;
}
