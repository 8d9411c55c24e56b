import { LinkError } from '../link-error.ts';
import { type Findings, type Framing, type ModbusRequest, maxPduBytes, putByte, putWord, word } from './pdu.ts';

const headerBytes = 6; // transaction, protocol, length of what follows
const minLength = 2; // unit and function
const maxLength = 1 + maxPduBytes;

/** Modbus TCP. Every answer repeats the transaction number of its request. */
export class TcpFraming implements Framing {
  readonly silenceMs = 0;
  #out = Buffer.alloc(headerBytes + maxLength);
  #held = Buffer.alloc(headerBytes + maxLength);
  #heldBytes = 0;
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
    return this.#heldBytes > 0;
  }

  settle(): void {
    this.#isAsking = false;
  }

  restart(): void {
    this.#isAsking = false;
    this.#heldBytes = 0;
  }

  take(bytes: Uint8Array, findings: Findings): void {
    let at = 0;
    while (at < bytes.length) {
      let from = bytes;
      let begin = at;
      let available = bytes.length - at;
      if (this.#heldBytes > 0 || available < headerBytes || available < headerBytes + word(bytes, at + 4)) {
        // A frame that arrives in pieces is assembled first.
        at += this.#hold(bytes, at);
        from = this.#held;
        begin = 0;
        available = this.#heldBytes;
      }
      if (available < headerBytes) return;

      const length = word(from, begin + 4);
      if (word(from, begin + 2) !== 0 || length < minLength || length > maxLength)
        throw new LinkError('The device sent bytes that are not Modbus TCP.');
      const end = begin + headerBytes + length;
      if (begin + available < end) continue;

      if (from === bytes) at = end;
      else this.#heldBytes = 0;
      this.#sort(from, begin, end, findings);
    }
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

  /** Copies the missing bytes of the header or frame; returns how many. */
  #hold(bytes: Uint8Array, at: number): number {
    const have = this.#heldBytes;
    const wanted = have < headerBytes ? headerBytes : headerBytes + word(this.#held, 4);
    const taken = Math.min(wanted - have, bytes.length - at);
    this.#held.set(bytes.subarray(at, at + taken), have);
    this.#heldBytes += taken;
    return taken;
  }
}
