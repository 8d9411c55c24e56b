import { encodeRing } from './ring-text.ts';

/** Parts of the map with a name, as they stand in a file. */
export type AreaFile = {
  source: string;
  /** degrees of one step of the rings */
  step: number;
  areas: Area[];
};

export type Area = {
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

export const usualStep = 0.0001; // about 11 m to the north and 5 m to the east

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
