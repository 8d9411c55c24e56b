import { unreadable } from './candidate.ts';

const longestMessage = 8192;

/** Joins what a meter sends in several frames. */
export class MessageParts {
  private parts: Uint8Array[] = [];
  private size = 0;

  get isPending(): boolean {
    return this.parts.length > 0;
  }

  /** The whole message with its last part. `position` counts from 0 where the meter numbers its parts. */
  add(part: Uint8Array, { isLast, position }: { isLast: boolean; position?: number }): Uint8Array | undefined {
    if (position !== undefined && position !== this.parts.length) {
      this.clear();
      throw unreadable('a part is missing');
    }
    this.size += part.length;
    if (this.size > longestMessage) {
      this.clear();
      throw unreadable('too long');
    }
    if (isLast && this.parts.length === 0) {
      this.size = 0;
      return part;
    }
    this.parts.push(Uint8Array.from(part));
    return isLast ? this.clear() : undefined;
  }

  /** What there was. */
  clear(): Uint8Array {
    const whole = Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    return whole;
  }
}
