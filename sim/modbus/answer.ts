import type { Fault } from '../faults.ts';
import { type Device, ModbusException } from './device.ts';

type Answer = (device: Device, request: Buffer) => Buffer;

const readWith =
  (table: 'input' | 'holding'): Answer =>
  (device, request) => {
    assertLength(request, 5);
    const count = request.readUInt16BE(3);
    if (count < 1 || count > 125) throw new ModbusException('illegal value');
    const words = device.read(table, request.readUInt16BE(1), count);
    return Buffer.concat([Buffer.from([request.readUInt8(), count * 2]), bytesOf(words)]);
  };

const writeOne: Answer = (device, request) => {
  assertLength(request, 5);
  device.write(request.readUInt16BE(1), [request.readUInt16BE(3)]);
  return request;
};

const writeMany: Answer = (device, request) => {
  if (request.length < 6) throw new ModbusException('illegal value');
  const count = request.readUInt16BE(3);
  if (count < 1 || count > 123 || request[5] !== count * 2) throw new ModbusException('illegal value');
  assertLength(request, 6 + count * 2);
  device.write(
    request.readUInt16BE(1),
    Array.from({ length: count }, (_, index) => request.readUInt16BE(6 + index * 2)),
  );
  return request.subarray(0, 5);
};

const identificationType = 0x0e;

const identify: Answer = ({ bank: { identification } }, request) => {
  if (!identification || request[1] !== identificationType) throw new ModbusException('illegal function');
  assertLength(request, 4);
  const [, , code = 0, first = 0] = request;
  const all = identification.map((text, id) => ({ id, text }));
  if (code < 1 || code > 4) throw new ModbusException('illegal value');
  const objects = code === 4 ? all.filter(({ id }) => id === first) : all.slice(first < all.length ? first : 0);
  if (objects.length === 0) throw new ModbusException('illegal address');
  const conformity = 0x81; // basic objects, stream and individual access
  return Buffer.concat([
    Buffer.from([request.readUInt8(), identificationType, code, conformity, 0, 0, objects.length]),
    ...objects.map(({ id, text }) => Buffer.from([id, text.length, ...Buffer.from(text, 'latin1')])),
  ]);
};

const answers: Record<number, Answer> = {
  3: readWith('holding'),
  4: readWith('input'),
  6: writeOne,
  16: writeMany,
  43: identify,
};

/** Answers a request; both PDUs are without address and checksum. */
export function answer(device: Device, request: Buffer): Buffer {
  const code = request[0] ?? 0;
  try {
    const known = answers[code];
    if (!known) throw new ModbusException('illegal function');
    return known(device, request);
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error;
    return exception(code, error.code);
  }
}

export const exception = (functionCode: number, code: number): Buffer => Buffer.from([functionCode | 0x80, code]);

function assertLength(request: Buffer, length: number): void {
  if (request.length !== length) throw new ModbusException('illegal value');
}

function bytesOf(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 2);
  for (const [index, word] of words.entries()) bytes.writeUInt16BE(word, index * 2);
  return bytes;
}

/** Answers a request, with the faults of its content. */
export function respond(device: Device, request: Buffer): { unit: number; pdu: Buffer; fault: Fault | undefined } {
  const fault = device.faults.next();
  const { unit } = device.bank;
  return {
    unit: fault?.kind === 'wrong-unit' ? (unit % 247) + 1 : unit,
    pdu: fault?.kind === 'exception' ? exception(request[0] ?? 0, fault.code) : answer(device, request),
    fault,
  };
}
