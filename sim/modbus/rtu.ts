import type { Duplex } from 'node:stream';
import { crc16 } from '../crc16.ts';
import { deliver } from '../deliver.ts';
import { type Address, type Listener, listen } from '../listen.ts';
import type { Device } from './device.ts';
import { respond } from './respond.ts';

const longestFrame = 256;
const silenceMs = 50; // what is incomplete after this was noise

/** Modbus RTU through a network serial adapter. */
export const startModbusRtuOverTcp = (devices: readonly Device[], address: Address): Promise<Listener> =>
  listen(address, (socket) => serveRtu(socket, devices));

/** The same frames on any stream. Other units of the bus are none of ours, so they get no answer. */
export function serveRtu(stream: Duplex, devices: readonly Device[]): void {
  const byUnit = new Map(devices.map((device) => [device.bank.unit, device]));
  let received: Buffer = Buffer.alloc(0);
  let previous: Buffer | undefined;
  let turn = Promise.resolve();

  const silence = setTimeout(() => {
    if (isIntact(received)) take(received); // a function whose length is not known here
    received = Buffer.alloc(0);
  }, silenceMs).unref();
  stream.on('close', () => clearTimeout(silence));

  stream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]).subarray(-longestFrame);
    silence.refresh();
    for (let found = findRequest(received); found; found = findRequest(received)) {
      take(received.subarray(found.start, found.end));
      received = received.subarray(found.end);
    }
  });

  function take(frame: Buffer): void {
    const device = byUnit.get(frame[0]!);
    if (device) turn = turn.then(() => reply(device, frame.subarray(1, -2)));
  }

  async function reply(device: Device, request: Buffer): Promise<void> {
    const { unit, pdu, fault } = respond(device, request);
    const answer = withChecksum(Buffer.concat([Buffer.from([unit]), pdu]));
    // There is no transaction on this wire: the answer of another question is the one before.
    const message = fault?.kind === 'wrong-transaction' ? (previous ?? answer) : answer;
    previous = answer;
    await deliver(message, fault, {
      write: (bytes) => void (stream.writable && stream.write(bytes)),
      close: () => stream.destroy(),
    });
  }
}

/** The first whole request, wherever noise lets it begin. */
function findRequest(bytes: Buffer): { start: number; end: number } | undefined {
  for (let start = 0; start + 4 <= bytes.length; start += 1) {
    const end = start + (lengthOf(bytes.subarray(start)) ?? Number.POSITIVE_INFINITY);
    if (end <= bytes.length && isIntact(bytes.subarray(start, end))) return { start, end };
  }
  return undefined;
}

/** How long the request at the front is, when that can be known yet. */
function lengthOf(bytes: Buffer): number | undefined {
  switch (bytes[1]) {
    case 3:
    case 4:
    case 6:
      return 8;
    case 16:
      return bytes[6] === undefined ? undefined : 9 + bytes[6];
    case 43:
      return 7;
    default:
      return undefined;
  }
}

const isIntact = (frame: Buffer): boolean =>
  frame.length >= 4 && crc16(frame.subarray(0, -2), 0xa001, 0xffff) === frame.readUInt16LE(frame.length - 2);

function withChecksum(bytes: Buffer): Buffer {
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(bytes, 0xa001, 0xffff));
  return Buffer.concat([bytes, checksum]);
}
