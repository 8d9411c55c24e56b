import type { Socket } from 'node:net';
import { deliver, wireOf } from '../faults.ts';
import { type ListenAddress, type Listener, listen } from '../listen.ts';
import { exception, respond } from './answer.ts';
import { type Device, exceptionCodes } from './device.ts';

const headerLength = 7; // transaction, protocol, length, unit
const maxFrameSize = 260;

export function startModbusTcp(devices: readonly Device[], address: ListenAddress): Promise<Listener> {
  return listen(address, (socket) => serve(socket, new Map(devices.map((device) => [device.bank.unit, device]))));
}

function serve(socket: Socket, devices: ReadonlyMap<number, Device>): void {
  const deafMs = Math.max(0, ...[...devices.values()].map(({ bank }) => bank.deafAfterConnectMs ?? 0));
  let isDeaf = deafMs > 0;
  if (isDeaf) setTimeout(() => (isDeaf = false), deafMs).unref();
  let received: Buffer = Buffer.alloc(0);
  let turn = Promise.resolve(); // a device answers one request at a time

  socket.on('data', (chunk) => {
    if (isDeaf) return;
    received = Buffer.concat([received, chunk]);
    for (;;) {
      if (received.length < headerLength) return;
      const length = 6 + received.readUInt16BE(4);
      if (received.readUInt16BE(2) !== 0 || length <= headerLength || length > maxFrameSize) {
        socket.destroy(); // not Modbus
        return;
      }
      if (received.length < length) return;
      const request = received.subarray(0, length);
      received = received.subarray(length);
      turn = turn.then(() => reply(request));
    }
  });

  async function reply(request: Buffer): Promise<void> {
    const transaction = request.readUInt16BE(0);
    const unit = request.readUInt8(6);
    const pdu = request.subarray(headerLength);
    const device = devices.get(unit);
    const wire = wireOf(socket);
    if (!device) {
      wire.write(frame(transaction, unit, exception(pdu.readUInt8(), exceptionCodes['target does not answer'])));
      return;
    }
    const response = respond(device, pdu);
    const named = response.fault?.kind === 'wrong-transaction' ? (transaction + 1) & 0xffff : transaction;
    await deliver(frame(named, response.unit, response.pdu), response.fault, wire);
  }
}

function frame(transaction: number, unit: number, pdu: Buffer): Buffer {
  const header = Buffer.alloc(headerLength);
  header.writeUInt16BE(transaction, 0);
  header.writeUInt16BE(pdu.length + 1, 4);
  header[6] = unit;
  return Buffer.concat([header, pdu]);
}
