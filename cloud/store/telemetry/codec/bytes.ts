const text = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const truncated = (): Error => new RangeError('The chunk ends before its data does.');

/** A growing buffer. Integers are unsigned, up to 53 bits, seven bits per byte (LEB128). */
export class ByteWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  integer(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} cannot be written as an integer.`);
    this.#reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  string(value: string): void {
    const bytes = text.encode(value);
    this.integer(bytes.length);
    this.block(bytes);
  }

  block(bytes: Uint8Array): void {
    this.room(bytes.length).set(bytes);
  }

  /** Appends bytes that the caller fills in before the next write. */
  room(size: number): Uint8Array {
    this.#reserve(size);
    this.#length += size;
    return this.#bytes.subarray(this.#length - size, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.done());
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    // A Buffer is slower to take subarrays of.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  integer(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#position++];
      if (byte === undefined) throw truncated();
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
    }
  }

  string(): string {
    return utf8.decode(this.block(this.integer()));
  }

  isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  skip(size: number): void {
    this.#position += size;
  }

  block(size: number): Uint8Array {
    this.#position += size;
    if (this.#position > this.#bytes.length) throw truncated();
    return this.#bytes.subarray(this.#position - size, this.#position);
  }
}
