import { LinkError } from '../link-error.ts';
import { functionCodeOf, ModbusException, type RegisterTable } from './unit.ts';

/** One request as it stands inside a frame, and what a right answer to it looks like. */
export type ModbusRequest<Answer> = {
  readonly function: number;
  readonly address: number;
  /** registers asked for or written */
  readonly count: number;
  readonly isWrite: boolean;
  /** of request and answer together, as far as it can be said beforehand */
  readonly bytes: number;
  /** Writes the request at `at`; tells where it ends. */
  encode(out: Uint8Array, at: number): number;
  /** Length of the answer that begins at `at`; undefined while too little of it is there, 0 when it is none. */
  answerLength(bytes: Uint8Array, at: number, end: number): number | undefined;
  /** Reads an answer of the right function; undefined when it is none to this request. */
  decode(bytes: Uint8Array, at: number, end: number): Answer | undefined;
};

export const mostBytes = 253; // of a request or an answer, without the frame
const mostRead = 125;
const mostWritten = 123;

export function readRequest(table: RegisterTable, address: number, count: number): ModbusRequest<readonly number[]> {
  checkRange(address, count, mostRead);
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
  checkRange(address, values.length, mostWritten);
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

/** A write is confirmed by its address and one word of the request. */
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

/** Reads the PDU of an answer, which may be a no of the device. Throws a LinkError for anything but an answer. */
export function readAnswer<Answer>(
  request: ModbusRequest<Answer>,
  bytes: Uint8Array,
  at: number,
  end: number,
): Answer | ModbusException {
  const code = bytes[at];
  if (code === (request.function | 0x80) && end - at === 2) return new ModbusException(bytes[at + 1]!);
  const answer = code === request.function ? request.decode(bytes, at, end) : undefined;
  if (answer === undefined) throw new LinkError('What the device sent is no answer to the request.');
  return answer;
}

export function word(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
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

/** What turns up in the bytes of a line. */
export type Findings = {
  /** the answer to what was asked, without its frame; the bytes are valid during the call */
  onAnswer(bytes: Uint8Array, at: number, end: number): void;
  /** an answer that nobody waits for, or not any longer */
  onStray(): void;
};

/** How requests and answers are told apart on a line. One request is asked at a time. */
export type Framing = {
  /** pause that the line needs ahead of a request */
  readonly silenceMs: number;
  /** time that so many bytes need on the wire */
  wireMs(bytes: number): number;
  /** What must be answered first, so that the answer to this request cannot be mistaken. */
  ahead(unit: number, request: ModbusRequest<unknown>): ModbusRequest<unknown> | undefined;
  /** The frame of a request, valid until the next one; from now on its answer is looked for. */
  ask(unit: number, request: ModbusRequest<unknown>): Uint8Array;
  /** Throws a LinkError at bytes after which nothing on this connection can be trusted. */
  take(bytes: Uint8Array, findings: Findings): void;
  /** Nobody waits for the answer any more. */
  settle(how: 'answered' | 'unanswered'): void;
  /** whether part of a frame is there, whose rest would be mixed with what comes next */
  readonly isCut: boolean;
  /** The connection is a new one. */
  restart(): void;
};

/** Texts of a device by their object number, and the number to ask for next when there are more. */
export type DeviceTexts = { texts: Map<number, string>; next: number | undefined };

const code = 43;
const readDevice = 14;
const basic = 1; // vendor, product and revision, in one stream
const headerBytes = 7;

/** Function 43/14: what the device says of itself. */
export function identifyRequest(first: number): ModbusRequest<DeviceTexts> {
  return {
    function: code,
    address: 0,
    count: 0,
    isWrite: false,
    bytes: 4 + mostBytes,
    encode: (out, at) => putByte(out, putByte(out, putByte(out, putByte(out, at, code), readDevice), basic), first),
    answerLength(bytes, at, end) {
      if (end < at + headerBytes) return undefined;
      let length = headerBytes;
      for (let left = bytes[at + 6]!; left > 0; left--) {
        if (at + length + 2 > end) return undefined;
        length += 2 + bytes[at + length + 1]!;
        if (length > mostBytes) return 0;
      }
      return length;
    },
    decode(bytes, at, end) {
      if (this.answerLength(bytes, at, end) !== end - at) return undefined;
      if (bytes[at + 1] !== readDevice || bytes[at + 2] !== basic) return undefined;
      const texts = new Map<number, string>();
      for (let from = at + headerBytes; from < end; from += 2 + bytes[from + 1]!)
        texts.set(bytes[from]!, text(bytes.subarray(from + 2, from + 2 + bytes[from + 1]!)));
      return { texts, next: bytes[at + 4] === 0xff ? bytes[at + 5] : undefined };
    },
  };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}
