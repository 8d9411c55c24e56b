// A ring as text: each point as its distance from the one before, in steps, five bits to a character.
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const more = 32; // set when further bits of the number follow
const digitOf = new Uint8Array(128).fill(255);
for (const [value, character] of [...alphabet].entries()) digitOf[character.charCodeAt(0)] = value;

/** Longitudes and latitudes in turn, as whole steps. */
export function encodeRing(steps: readonly number[]): string {
  let text = '';
  for (const [index, step] of steps.entries()) {
    const change = step - (steps[index - 2] ?? 0);
    let bits = change < 0 ? -2 * change - 1 : 2 * change; // the sign in the lowest bit
    while (bits >= more) {
      text += alphabet[more + (bits % more)];
      bits = Math.floor(bits / more);
    }
    text += alphabet[bits];
  }
  return text;
}

export function decodeRing(text: string): Int32Array {
  const steps: number[] = [];
  let bits = 0;
  let shift = 0;
  for (let index = 0; index < text.length; index++) {
    const value = digitOf[text.charCodeAt(index)] ?? 255;
    if (value === 255 || shift > 25) throw new Error(`Character ${index} of a ring is none that it can have.`);
    bits |= (value & (more - 1)) << shift;
    shift += 5;
    if (value & more) continue;
    const change = bits & 1 ? -((bits + 1) >>> 1) : bits >>> 1;
    steps.push((steps[steps.length - 2] ?? 0) + change);
    bits = 0;
    shift = 0;
  }
  return Int32Array.from(steps);
}
