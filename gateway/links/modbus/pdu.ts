import { LinkError } from '../link-error.ts';
import { functionCodeOf, ModbusException, type RegisterTable } from './unit.ts';

/** A request inside a frame, and how to recognise its answer. */
export type ModbusRequest<Answer> = {
  readonly function: number;
  readonly address: number;
  /** registers read or written */
  readonly count: number;
  readonly isWrite: boolean;
  /** of request and answer together, as far as known in advance */
  readonly bytes: number;
  /** Writes the request at `at`; returns where it ends. */
  encode(out: Uint8Array, at: number): number;
  /** Returns the length of the answer at `at`; undefined while too few bytes are there, 0 when it is not an answer. */
  answerLength(bytes: Uint8Array, at: number, end: number): number | undefined;
  /** Decodes an answer with the function code of this request; returns undefined when it does not match. */
  decode(bytes: Uint8Array, at: number, end: number): Answer | undefined;
};

export const maxPduBytes = 253; // of a request or an answer, without the frame
const maxRead = 125;
const maxWritten = 123;

export function readRequest(table: RegisterTable, address: number, count: number): ModbusRequest<readonly number[]> {
  checkRange(address, count, maxRead);
  const code = functionCodeOf[table];
  const answerBytes = 2 + 2 * count;
  return {
    function: code,
    address,
    count,
    isWrite: false,
    bytes: 5 + answerBytes,
    encode: (out, at) => putWord(out, putWord(out, putByte(out, at, code), address), count),
    answerLength(bytes, at, end) {
      if (end < at + 2) return undefined;
      return bytes[at + 1] === 2 * count ? answerBytes : 0;
    },
    decode(bytes, at, end) {
      if (end - at !== answerBytes || bytes[at + 1] !== 2 * count) return undefined;
      const words = new Array<number>(count);
      for (let index = 0, from = at + 2; index < count; index++, from += 2) words[index] = word(bytes, from);
      return words;
    },
  };
}

export function writeRequest(address: number, value: number): ModbusRequest<true> {
  checkRange(address, 1, 1);
  checkWord(value);
  return {
    ...echoed(6, address, value),
    count: 1,
    bytes: 10,
    encode: (out, at) => putWord(out, putWord(out, putByte(out, at, 6), address), value),
  };
}

export function writeManyRequest(address: number, values: readonly number[]): ModbusRequest<true> {
  checkRange(address, values.length, maxWritten);
  values.forEach(checkWord);
  return {
    ...echoed(16, address, values.length),
    count: values.length,
    bytes: 11 + 2 * values.length,
    encode(out, at) {
      let end = putWord(out, putWord(out, putByte(out, at, 16), address), values.length);
      end = putByte(out, end, 2 * values.length);
      for (const value of values) end = putWord(out, end, value);
      return end;
    },
  };
}

/** Returns the parts that both kinds of write share: the answer repeats the address and one word of the request. */
function echoed(code: number, address: number, confirmed: number) {
  return {
    function: code,
    address,
    isWrite: true,
    answerLength: () => 5,
    decode: (bytes: Uint8Array, at: number, end: number): true | undefined =>
      end - at === 5 && word(bytes, at + 1) === address && word(bytes, at + 3) === confirmed ? true : undefined,
  };
}

/** Reads the PDU of an answer or an exception. Throws a LinkError for anything else. */
export function readAnswer<Answer>(
  request: ModbusRequest<Answer>,
  bytes: Uint8Array,
  at: number,
  end: number,
): Answer | ModbusException {
  const code = bytes[at];
  if (code === (request.function | 0x80) && end - at === 2) return new ModbusException(byteAt(bytes, at + 1));
  const answer = code === request.function ? request.decode(bytes, at, end) : undefined;
  if (answer === undefined) throw new LinkError('The device sent something that does not answer the request.');
  return answer;
}

/** Callers check the length first; outside of the buffer the value is 0. */
export const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

export function word(bytes: Uint8Array, at: number): number {
  return (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1);
}

export function putByte(out: Uint8Array, at: number, value: number): number {
  out[at] = value;
  return at + 1;
}

export function putWord(out: Uint8Array, at: number, value: number): number {
  out[at] = value >> 8;
  out[at + 1] = value & 0xff;
  return at + 2;
}

function checkRange(address: number, count: number, most: number): void {
  if (!Number.isInteger(count) || count < 1 || count > most) throw new RangeError(`${count} registers in one request`);
  if (!Number.isInteger(address) || address < 0 || address + count > 0x1_0000)
    throw new RangeError(`${count} registers from address ${address}`);
}

function checkWord(value: number): void {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff) throw new RangeError(`${value} in a register`);
}

/** Receives what the framing finds in the bytes of a line. */
export type Findings = {
  /** the answer to the current request, without its frame; the bytes are valid during the call */
  onAnswer(bytes: Uint8Array, at: number, end: number): void;
  /** an answer to no request, or to one that has timed out */
  onStray(): void;
};

/** Frames requests and finds their answers in the bytes of a line, for one request at a time. */
export type Framing = {
  /** silence that the line needs before a request */
  readonly silenceMs: number;
  /** Returns the transmission time of this many bytes. */
  wireMs(bytes: number): number;
  /** Returns a request to send first when a late answer could be mistaken for the answer to this one. */
  ahead(unit: number, request: ModbusRequest<unknown>): ModbusRequest<unknown> | undefined;
  /** Returns the frame of a request, valid until the next call, and starts looking for its answer. */
  ask(unit: number, request: ModbusRequest<unknown>): Uint8Array;
  /** Throws a LinkError when the bytes make everything that follows on this connection unusable. */
  take(bytes: Uint8Array, findings: Findings): void;
  /** Stops looking for the answer. */
  settle(how: 'answered' | 'unanswered'): void;
  /** whether a partial frame was received, whose rest would mix with the next answer */
  readonly isCut: boolean;
  /** Call when the connection was reopened. */
  restart(): void;
};

const code = 43;
const readDevice = 14;
const basic = 1; // vendor, product and revision, in one stream
const headerBytes = 7;

/** Reads the identification of a device (function 43/14): texts by their object number. */
export function identifyRequest(first: number): ModbusRequest<Map<number, string>> {
  return {
    function: code,
    address: 0,
    count: 0,
    isWrite: false,
    bytes: 4 + maxPduBytes,
    encode: (out, at) => putByte(out, putByte(out, putByte(out, putByte(out, at, code), readDevice), basic), first),
    answerLength(bytes, at, end) {
      if (end < at + headerBytes) return undefined;
      let length = headerBytes;
      for (let left = byteAt(bytes, at + 6); left > 0; left--) {
        if (at + length + 2 > end) return undefined;
        length += 2 + byteAt(bytes, at + length + 1);
        if (length > maxPduBytes) return 0;
      }
      return length;
    },
    decode(bytes, at, end) {
      if (this.answerLength(bytes, at, end) !== end - at) return undefined;
      if (bytes[at + 1] !== readDevice || bytes[at + 2] !== basic) return undefined;
      const texts = new Map<number, string>();
      for (let from = at + headerBytes; from < end; ) {
        const next = from + 2 + byteAt(bytes, from + 1);
        texts.set(byteAt(bytes, from), text(bytes.subarray(from + 2, next)));
        from = next;
      }
      return texts;
    },
  };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}
