import { randomUUID } from 'node:crypto';

let lastMs = -1;
let counter = 0;

/** Returns a time-ordered UUID, greater than every earlier one of this process (RFC 9562, 6.2 method 1). */
export function uuidv7(now: number): string {
  const random = randomUUID();
  const ms = Math.floor(now);
  if (ms > lastMs) {
    lastMs = ms;
    counter = Number.parseInt(random.slice(0, 3), 16) & 0x7ff; // the top bit starts at 0 to leave room to count
  } else if (++counter > 0xfff) {
    lastMs += 1; // RFC 9562 lets a full counter run the timestamp ahead of the clock
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  // The last two groups of a version 4 UUID are the variant and 62 random bits, as version 7 has them.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${random.slice(19)}`;
}

export function newId(prefix: string, now: number): string {
  return `${prefix}-${uuidv7(now)}`;
}
