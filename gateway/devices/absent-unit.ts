import { hostPort } from '../links/host-port.ts';
import type { ModbusEndpoint } from '../links/modbus/buses.ts';
import { ModbusException, Unanswered } from '../links/modbus/unit.ts';

const behindGateway = [10, 11]; // what a gateway to other units says of one that is not there

/** There is a connection, and nobody with this unit id at its end. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Unanswered || (error instanceof ModbusException && behindGateway.includes(error.code));

/** What a person can do about it. */
export function tellAbsent(unitId: number, endpoint: ModbusEndpoint): string {
  const advice =
    'host' in endpoint
      ? 'Is this its unit id, and is it awake? Detection tries the usual ones.'
      : 'Compare unit id, speed and parity with the settings of the device, and see that A and B are not swapped.';
  return `No unit ${unitId} answers at ${nameOf(endpoint)}. ${advice}`;
}

export const nameOf = (endpoint: ModbusEndpoint): string =>
  'host' in endpoint ? hostPort(endpoint.host, endpoint.port) : endpoint.line.port;
