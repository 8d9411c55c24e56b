import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';

/** The registers of the server. Neighbours differ, so that an answer to another request is detected. */
export const registerAt = (address: number): number => (address * 7919 + 13) & 0xffff;

export const registersAt = (address: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => registerAt(address + index));

/** A received request, with the correct answer. */
export type Exchange = {
  socket: Socket;
  transaction: number;
  unit: number;
  pdu: Buffer;
  rightPdu: Buffer;
  rightFrame: Buffer;
};

export type Behaviour = (exchange: Exchange) => void | Promise<void>;

export const answerRightly: Behaviour = ({ socket, rightFrame }) => void socket.write(rightFrame);

/** Frames a PDU; `length` and `protocol` may be wrong. */
export function frame(
  transaction: number,
  unit: number,
  pdu: Uint8Array,
  lies: { length?: number; protocol?: number } = {},
) {
  const header = Buffer.alloc(7);
  header.writeUInt16BE(transaction & 0xffff, 0);
  header.writeUInt16BE(lies.protocol ?? 0, 2);
  header.writeUInt16BE(lies.length ?? pdu.length + 1, 4);
  header.writeUInt8(unit, 6);
  return Buffer.concat([header, pdu]);
}

/** Returns the correct answer: reads give `registerAt`, writes are confirmed. */
export function rightAnswer(pdu: Buffer): Buffer {
  const code = pdu[0]!;
  if (code === 6) return pdu;
  if (code === 16) return pdu.subarray(0, 5);
  if (code !== 3 && code !== 4) return Buffer.of(code | 0x80, 1);
  const count = pdu.readUInt16BE(3);
  const answer = Buffer.alloc(2 + 2 * count);
  answer.set([code, 2 * count]);
  registersAt(pdu.readUInt16BE(1), count).forEach((value, index) => void answer.writeUInt16BE(value, 2 + 2 * index));
  return answer;
}

/** A Modbus TCP device on the loopback that misbehaves on command, for a number of requests. */
export async function startHostileServer() {
  let behaviour = answerRightly;
  let badRequests = 0;
  let refusedConnections = 0;
  const requests: Exchange[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy()); // the other side may disconnect at any time
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    if (refusedConnections-- > 0) {
      socket.destroy();
      return;
    }
    let waiting = Buffer.alloc(0);
    let turn = Promise.resolve();
    socket.on('data', (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      while (waiting.length >= 6 && waiting.length >= 6 + waiting.readUInt16BE(4)) {
        const bytesOfRequest = waiting.subarray(0, 6 + waiting.readUInt16BE(4));
        waiting = waiting.subarray(bytesOfRequest.length);
        const behave = badRequests-- > 0 ? behaviour : answerRightly;
        const exchange = exchangeOf(socket, bytesOfRequest);
        requests.push(exchange);
        turn = turn.then(() => behave(exchange)); // one after the other, like a device
      }
    });
  });
  const port = await listenOnLoopback(server);

  return {
    port,
    requests,
    connections: () => sockets.size,
    misbehave(next: Behaviour, times = 1) {
      behaviour = next;
      badRequests = times;
    },
    /** Closes the open connections, and new ones at once. */
    refuse(connections: number) {
      refusedConnections = connections;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function exchangeOf(socket: Socket, request: Buffer): Exchange {
  const transaction = request.readUInt16BE(0);
  const unit = request[6]!;
  const pdu = request.subarray(7);
  const rightPdu = rightAnswer(pdu);
  return { socket, transaction, unit, pdu, rightPdu, rightFrame: frame(transaction, unit, rightPdu) };
}

/** Writes bytes in pieces of this size, each in a segment of its own. */
export async function writeInPieces(socket: Socket, bytes: Uint8Array, size: number, pauseMs: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    if (socket.destroyed) return;
    socket.write(bytes.subarray(at, at + size));
    await sleep(pauseMs);
  }
}
