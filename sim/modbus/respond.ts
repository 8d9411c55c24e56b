import type { Fault } from '../faults.ts';
import { answer, exception } from './answer.ts';
import type { Device } from './device.ts';

export type Response = { unit: number; pdu: Buffer; fault: Fault | undefined };

/** What a device says to a request, with the faults that are in what it says. */
export function respond(device: Device, request: Buffer): Response {
  const fault = device.faults.next();
  const { unit } = device.bank;
  return {
    unit: fault?.kind === 'wrong-unit' ? (unit % 247) + 1 : unit,
    pdu: fault?.kind === 'exception' ? exception(request[0] ?? 0, fault.code) : answer(device, request),
    fault,
  };
}
