import { openSerialLine } from '../../serial-line.ts';
import { crc16 } from '../rtu-framing.ts';
import { rightAnswer } from './hostile-server.ts';

export const line = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;

/** A request on the line, with the frame of the correct answer. */
export type RtuExchange = { unit: number; request: Buffer; right: Buffer; send(...frames: Uint8Array[]): void };

export type RtuBehaviour = (exchange: RtuExchange) => void | Promise<void>;

export const answerRightly: RtuBehaviour = ({ right, send }) => send(right);

/** Adds unit and checksum to a PDU. */
export function rtuFrame(unit: number, pdu: Uint8Array): Buffer {
  const frame = Buffer.concat([Buffer.of(unit), pdu, Buffer.alloc(2)]);
  frame.writeUInt16LE(crc16(frame, 0, frame.length - 2), frame.length - 2);
  return frame;
}

/** A device on a serial port that answers one request after the other, and misbehaves on command. */
export async function startRtuDevice(port: string) {
  const wire = await openSerialLine({ ...line, port });
  let ordinary = answerRightly;
  let behaviour = answerRightly;
  let badRequests = 0;
  let waiting = Buffer.alloc(0);
  let turn = Promise.resolve();
  const requests: Buffer[] = [];
  const send = (...frames: Uint8Array[]): void => wire.write(Buffer.concat(frames));

  wire.onData((bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (let length = lengthOf(waiting); length !== undefined && waiting.length >= length; length = lengthOf(waiting)) {
      const request = waiting.subarray(0, length);
      waiting = waiting.subarray(length);
      requests.push(request);
      const behave = badRequests-- > 0 ? behaviour : ordinary;
      const unit = request[0]!;
      const right = rtuFrame(unit, rightAnswer(request.subarray(1, -2)));
      turn = turn.then(() => behave({ unit, request, right, send }));
    }
  });

  return {
    requests,
    send,
    misbehave(next: RtuBehaviour, times = 1) {
      behaviour = next;
      badRequests = times;
    },
    always(next: RtuBehaviour) {
      ordinary = next;
    },
    close: () => wire.close(),
  };
}

function lengthOf(request: Buffer): number | undefined {
  if (request.length < 8) return undefined;
  return request[1] === 16 ? 9 + request[6]! : 8;
}
