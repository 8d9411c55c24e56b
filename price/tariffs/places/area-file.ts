export type AreaFile = {
  source: string;
  /** degrees per step of the ring coordinates */
  step: number;
  areas: MapArea[];
};

/** Parses a map file that this program ships or wrote itself. */
export const readAreaFile = (text: string): AreaFile => JSON.parse(text);

export type MapArea = {
  id: string;
  name?: string;
  /** the grid operator */
  operator?: string;
  /** provider id of the operator, whether or not its tariffs are known */
  provider?: string;
  /** the outer ring of each polygon, then its holes */
  polygons: string[][];
};

export type Position = readonly [lon: number, lat: number];

export const defaultStep = 0.0001; // about 11 m to the north and 5 m to the east

/** Encodes polygons in degrees as text; drops rings that collapse at this step. */
export const encodePolygons = (polygons: readonly (readonly (readonly Position[])[])[], step: number): string[][] =>
  polygons
    .map((rings) => rings.map((ring) => stepsOf(ring, step)).filter((steps) => steps.length >= 8))
    .filter((rings) => rings.length > 0)
    .map((rings) => rings.map(encodeRing));

/** Converts degrees to steps and drops repeated points. */
function stepsOf(ring: readonly Position[], step: number): number[] {
  const steps: number[] = [];
  for (const [lon, lat] of ring) {
    const [x, y] = [Math.round(lon / step), Math.round(lat / step)];
    if (x !== steps.at(-2) || y !== steps.at(-1)) steps.push(x, y);
  }
  return steps;
}

const legalForms = /\b(ab|publ|hb|kb|ek(onomisk)?\.? ?f(ö|o)r(\.|ening)?|ek\.?|f(ö|o)rening upa|upa)(?=$|[ .,)])/gi;

/** Derives an id from a company name, for companies without tariffs. */
export const operatorId = (company: string): string =>
  company
    .replace(legalForms, ' ')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');

// A ring is encoded as the differences between points, in steps, with five bits per character.
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const more = 32; // set when more bits of the number follow
const digitOf = new Uint8Array(128).fill(255);
for (const [value, character] of [...alphabet].entries()) digitOf[character.charCodeAt(0)] = value;

/** Encodes alternating longitudes and latitudes in whole steps. */
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
    if (value === 255 || shift > 25) throw new Error(`Invalid character at index ${index} of a ring.`);
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
