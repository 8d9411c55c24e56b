/** A map file: named areas with their polygons. */
export type AreaFile = {
  source: string;
  /** degrees of one step of the rings */
  step: number;
  areas: MapArea[];
};

/** Parses a map file that this program ships or wrote itself. */
export const readAreaFile = (text: string): AreaFile => JSON.parse(text);

export type MapArea = {
  id: string;
  name?: string;
  /** the company that runs the grid there */
  operator?: string;
  /** the id of that company as a provider of tariffs, whether it has any or not */
  provider?: string;
  /** of each its outer ring, then the rings of its holes */
  polygons: string[][];
};

export type Position = readonly [lon: number, lat: number];

export const defaultStep = 0.0001; // about 11 m to the north and 5 m to the east

/** Polygons of degrees as polygons of text; rings that are nothing at this step vanish. */
export const encodePolygons = (polygons: readonly (readonly (readonly Position[])[])[], step: number): string[][] =>
  polygons
    .map((rings) => rings.map((ring) => stepsOf(ring, step)).filter((steps) => steps.length >= 8))
    .filter((rings) => rings.length > 0)
    .map((rings) => rings.map(encodeRing));

/** Without points that fall on the one before. */
function stepsOf(ring: readonly Position[], step: number): number[] {
  const steps: number[] = [];
  for (const [lon, lat] of ring) {
    const [x, y] = [Math.round(lon / step), Math.round(lat / step)];
    if (x !== steps.at(-2) || y !== steps.at(-1)) steps.push(x, y);
  }
  return steps;
}

const legalForms = /\b(ab|publ|hb|kb|ek(onomisk)?\.? ?f(ö|o)r(\.|ening)?|ek\.?|f(ö|o)rening upa|upa)(?=$|[ .,)])/gi;

/** The id of a company that we have no tariffs of. */
export const operatorId = (company: string): string =>
  company
    .replace(legalForms, ' ')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');

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
