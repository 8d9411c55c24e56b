import { LinkError } from '../link-error.ts';
import { type Findings, type Framing, type ModbusRequest, maxPduBytes, putByte, putWord, word } from './pdu.ts';

const headerBytes = 6; // transaction, protocol, length of what follows
const minLength = 2; // unit and function
const maxLength = 1 + maxPduBytes;

/** Modbus TCP. Every answer repeats the transaction number of its request. */
export class TcpFraming implements Framing {
  readonly silenceMs = 0;
  #out = Buffer.alloc(headerBytes + maxLength);
  /** the beginning of a frame whose rest is missing */
  #held = Buffer.alloc(0);
  #transaction = 0;
  #unit = 0;
  #isAsking = false;

  wireMs(): number {
    return 0;
  }

  ahead(): undefined {}

  ask(unit: number, request: ModbusRequest<unknown>): Uint8Array {
    this.#transaction = (this.#transaction + 1) & 0xffff;
    this.#unit = unit;
    this.#isAsking = true;
    const out = this.#out;
    const end = request.encode(out, putByte(out, headerBytes, unit));
    putWord(out, 0, this.#transaction);
    putWord(out, 4, end - headerBytes);
    return out.subarray(0, end);
  }

  get isCut(): boolean {
    return this.#held.length > 0;
  }

  settle(): void {
    this.#isAsking = false;
  }

  restart(): void {
    this.#isAsking = false;
    this.#held = Buffer.alloc(0);
  }

  take(bytes: Uint8Array, findings: Findings): void {
    const received = this.isCut ? Buffer.concat([this.#held, bytes]) : bytes;
    let at = 0;
    while (at + headerBytes <= received.length) {
      const length = word(received, at + 4);
      if (word(received, at + 2) !== 0 || length < minLength || length > maxLength)
        throw new LinkError('The device sent bytes that are not Modbus TCP.');
      const end = at + headerBytes + length;
      if (end > received.length) break;
      this.#sort(received, at, end, findings);
      at = end;
    }
    this.#held = Buffer.from(received.subarray(at));
  }

  #sort(bytes: Uint8Array, at: number, end: number, findings: Findings): void {
    if (!this.#isAsking || word(bytes, at) !== this.#transaction) {
      findings.onStray();
      return;
    }
    const unit = bytes[at + headerBytes];
    if (unit !== this.#unit) throw new LinkError(`The device answers as unit ${unit}, not ${this.#unit}.`);
    findings.onAnswer(bytes, at + headerBytes + 1, end);
  }
}
