import { createCrc16 } from '../crc16.ts';
import { LinkError } from '../link-error.ts';
import type { LineSettings } from '../serial-line.ts';
import { byteAt, type Findings, type Framing, type ModbusRequest, maxPduBytes, putByte, readRequest } from './pdu.ts';

/** The checksum of Modbus RTU, which is sent low byte first. */
export const crc16 = createCrc16({ polynomial: 0xa001, start: 0xffff, finalXor: 0 });

const crcBytes = 2;
const minFrame = 5; // unit, function, exception, check
const heldBytes = 4096;
const minSilenceMs = 20; // longer than 3.5 characters at usual speeds, because adapters and their buffers are imprecise
const lateMs = 5000; // no answer arrives later than this
const probes = 4;

/** Modbus RTU. Answers carry no transaction number, so they are matched by unit, function, length and preceding requests. */
export class RtuFraming implements Framing {
  readonly silenceMs: number;
  readonly isCut = false; // every request discards the bytes received before it
  readonly #byteMs: number;
  #out = Buffer.alloc(1 + maxPduBytes + crcBytes);
  #outBytes = 0;
  #held = Buffer.alloc(heldBytes);
  #heldBytes = 0;
  #request: ModbusRequest<unknown> | undefined;
  #unit = 0;
  /** whether the adapter echoes requests; undefined until known */
  #echoes: boolean | undefined;
  #unansweredAt = new Float64Array(256).fill(Number.NEGATIVE_INFINITY);
  #isProbing = false;
  #probe = 0;
  #isStray = false;

  constructor({ baudRate, dataBits, parity, stopBits }: LineSettings) {
    this.#byteMs = ((1 + dataBits + (parity === 'none' ? 0 : 1) + stopBits) * 1000) / baudRate;
    this.silenceMs = Math.max(minSilenceMs, 3.5 * this.#byteMs);
  }

  wireMs(bytes: number): number {
    return bytes * this.#byteMs;
  }

  /**
   * Returns a read of another length than the request. Its answer proves that older answers have passed, because a device
   * answers in order, and shows whether the adapter echoes requests, which look like the answer to a write.
   */
  ahead(unit: number, request: ModbusRequest<unknown>): ModbusRequest<unknown> | undefined {
    const isLatePossible = performance.now() - (this.#unansweredAt[unit] ?? Number.NEGATIVE_INFINITY) < lateMs;
    const isEchoPossible = request.function === 6 && this.#echoes === undefined;
    this.#isProbing = isLatePossible || isEchoPossible;
    if (!this.#isProbing) return undefined;

    do this.#probe = (this.#probe % probes) + 1;
    while (this.#probe === request.count);
    return readRequest(
      request.function === 4 ? 'input' : 'holding',
      Math.min(request.address, 0x1_0000 - this.#probe),
      this.#probe,
    );
  }

  ask(unit: number, request: ModbusRequest<unknown>): Uint8Array {
    const out = this.#out;
    const end = request.encode(out, putByte(out, 0, unit));
    this.#outBytes = out.writeUInt16LE(crc16(out, 0, end), end);
    this.#request = request;
    this.#unit = unit;
    this.#heldBytes = 0;
    this.#isStray = false;
    return out.subarray(0, this.#outBytes);
  }

  settle(how: 'answered' | 'unanswered'): void {
    if (!this.#request) return;
    this.#request = undefined;
    if (how === 'answered') this.#unansweredAt[this.#unit] = Number.NEGATIVE_INFINITY;
    // An unanswered probe does not prolong the wait: some devices ignore unknown requests.
    else if (!this.#isProbing) this.#unansweredAt[this.#unit] = performance.now();
    this.#isProbing = false;
  }

  // A late answer may still arrive on the new connection, so the state of the units is kept.
  restart(): void {
    this.#request = undefined;
  }

  take(bytes: Uint8Array, findings: Findings): void {
    const request = this.#request;
    if (!request) {
      if (!this.#isStray) findings.onStray();
      this.#isStray = true;
      return;
    }
    if (this.#heldBytes + bytes.length > heldBytes) throw new LinkError('The line carries only noise.');
    this.#held.set(bytes, this.#heldBytes);
    this.#heldBytes += bytes.length;
    this.#search(request, findings);
  }

  #search(request: ModbusRequest<unknown>, findings: Findings): void {
    const isWriteEcho = request.function === 6; // the answer repeats the request
    let echoBytes = 0;
    for (let at = 0; at + minFrame <= this.#heldBytes; at++) {
      const isEcho = echoBytes === 0 && (!isWriteEcho || this.#echoes === true) && this.#isEchoAt(at);
      if (isEcho) {
        echoBytes = this.#outBytes;
        at += echoBytes - 1;
        continue;
      }
      const end = this.#frameEnd(request, at);
      if (end === undefined) continue;

      if (!isWriteEcho) this.#echoes ||= echoBytes > 0;
      if (at > echoBytes) findings.onStray();
      findings.onAnswer(this.#held, at + 1, end - crcBytes);
      return;
    }
  }

  #isEchoAt(at: number): boolean {
    if (this.#held[at] !== this.#unit) return false; // a full comparison at every position would take milliseconds
    const end = at + this.#outBytes;
    return end <= this.#heldBytes && this.#held.compare(this.#out, 0, this.#outBytes, at, end) === 0;
  }

  /** Returns the end of a complete, undamaged answer at `at`; otherwise undefined. */
  #frameEnd(request: ModbusRequest<unknown>, at: number): number | undefined {
    const held = this.#held;
    const code = byteAt(held, at + 1);
    if (held[at] !== this.#unit || (code & 0x7f) !== request.function) return undefined;
    const isException = (code & 0x80) !== 0;
    const length = isException ? 2 : request.answerLength(held, at + 1, this.#heldBytes);
    if (!length) return undefined;
    const end = at + 1 + length + crcBytes;
    if (end > this.#heldBytes || held.readUInt16LE(end - crcBytes) !== crc16(held, at, end - crcBytes))
      return undefined;
    return end;
  }
}
