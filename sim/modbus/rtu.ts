import type { Duplex } from 'node:stream';
import { crc16 } from '../crc16.ts';
import { deliver, wireOf } from '../faults.ts';
import { type ListenAddress, type Listener, listen } from '../listen.ts';
import { respond } from './answer.ts';
import type { Device } from './device.ts';

const maxFrameSize = 256;
const silenceMs = 50; // incomplete bytes before this are noise

export const startModbusRtuOverTcp = (devices: readonly Device[], address: ListenAddress): Promise<Listener> =>
  listen(address, (socket) => serveRtu(socket, devices));

/** Serves Modbus RTU on any stream. Requests to other units are not answered. */
export function serveRtu(stream: Duplex, devices: readonly Device[]): void {
  const byUnit = new Map(devices.map((device) => [device.bank.unit, device]));
  let received: Buffer = Buffer.alloc(0);
  let previous: Buffer | undefined;
  let turn = Promise.resolve();

  const silence = setTimeout(() => {
    if (isIntact(received)) handle(received); // a function of unknown length
    received = Buffer.alloc(0);
  }, silenceMs).unref();
  stream.on('close', () => clearTimeout(silence));

  stream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]).subarray(-maxFrameSize);
    silence.refresh();
    for (let found = findRequest(received); found; found = findRequest(received)) {
      handle(received.subarray(found.start, found.end));
      received = received.subarray(found.end);
    }
  });

  function handle(frame: Buffer): void {
    const device = byUnit.get(frame.readUInt8());
    if (device) turn = turn.then(() => reply(device, frame.subarray(1, -2)));
  }

  async function reply(device: Device, request: Buffer): Promise<void> {
    const { unit, pdu, fault } = respond(device, request);
    const answer = withChecksum(Buffer.concat([Buffer.from([unit]), pdu]));
    // RTU has no transaction ids, so this fault sends the previous answer.
    const message = fault?.kind === 'wrong-transaction' ? (previous ?? answer) : answer;
    previous = answer;
    await deliver(message, fault, wireOf(stream));
  }
}

/** Finds the first complete request, which may follow noise. */
function findRequest(bytes: Buffer): { start: number; end: number } | undefined {
  for (let start = 0; start + 4 <= bytes.length; start += 1) {
    const end = start + (lengthOf(bytes.subarray(start)) ?? Number.POSITIVE_INFINITY);
    if (end <= bytes.length && isIntact(bytes.subarray(start, end))) return { start, end };
  }
  return undefined;
}

const requestLengths: Readonly<Record<number, number>> = { 3: 8, 4: 8, 6: 8, 43: 7 };

/** Returns the length of the first request, if it is known yet. */
function lengthOf(bytes: Buffer): number | undefined {
  const [, code = 0, , , , , dataLength] = bytes;
  if (code === 16) return dataLength === undefined ? undefined : 9 + dataLength;
  return requestLengths[code];
}

const isIntact = (frame: Buffer): boolean =>
  frame.length >= 4 && crc16(frame.subarray(0, -2), 0xa001, 0xffff) === frame.readUInt16LE(frame.length - 2);

function withChecksum(bytes: Buffer): Buffer {
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(bytes, 0xa001, 0xffff));
  return Buffer.concat([bytes, checksum]);
}
