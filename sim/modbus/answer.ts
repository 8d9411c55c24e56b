import type { Device } from './device.ts';
import { ModbusException } from './exception.ts';

type Answer = (device: Device, request: Buffer) => Buffer;

const readWith =
  (table: 'input' | 'holding'): Answer =>
  (device, request) => {
    need(request, 5);
    const count = request.readUInt16BE(3);
    if (count < 1 || count > 125) throw new ModbusException('illegal value');
    const words = device.read(table, request.readUInt16BE(1), count);
    return Buffer.concat([Buffer.from([request[0]!, count * 2]), bytesOf(words)]);
  };

const writeOne: Answer = (device, request) => {
  need(request, 5);
  device.write(request.readUInt16BE(1), [request.readUInt16BE(3)]);
  return request;
};

const writeMany: Answer = (device, request) => {
  if (request.length < 6) throw new ModbusException('illegal value');
  const count = request.readUInt16BE(3);
  if (count < 1 || count > 123 || request[5] !== count * 2) throw new ModbusException('illegal value');
  need(request, 6 + count * 2);
  device.write(
    request.readUInt16BE(1),
    Array.from({ length: count }, (_, index) => request.readUInt16BE(6 + index * 2)),
  );
  return request.subarray(0, 5);
};

const identificationType = 0x0e;

const identify: Answer = ({ bank: { identification } }, request) => {
  if (!identification || request[1] !== identificationType) throw new ModbusException('illegal function');
  need(request, 4);
  const [, , code, first] = request as unknown as [number, number, number, number];
  const all = identification.map((text, id) => ({ id, text }));
  if (code < 1 || code > 4) throw new ModbusException('illegal value');
  const asked = code === 4 ? all.filter(({ id }) => id === first) : all.slice(first < all.length ? first : 0);
  if (asked.length === 0) throw new ModbusException('illegal address');
  const conformity = 0x81; // basic objects, as a stream or one by one
  return Buffer.concat([
    Buffer.from([request[0]!, identificationType, code, conformity, 0, 0, asked.length]),
    ...asked.map(({ id, text }) => Buffer.from([id, text.length, ...Buffer.from(text, 'latin1')])),
  ]);
};

const answers: Record<number, Answer> = {
  3: readWith('holding'),
  4: readWith('input'),
  6: writeOne,
  16: writeMany,
  43: identify,
};

/** The answer of a device to a request, both without address and checksum. */
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

function need(request: Buffer, length: number): void {
  if (request.length !== length) throw new ModbusException('illegal value');
}

function bytesOf(words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 2);
  for (const [index, word] of words.entries()) bytes.writeUInt16BE(word, index * 2);
  return bytes;
}
