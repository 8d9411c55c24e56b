import { fieldProblem } from '#contract/problem.ts';
import { type Loose, listOf, looseOf } from '../eltariff-versions.ts';
import { type Area, type AreaFile, encodePolygons, operatorId, type Position, usualStep } from './area-file.ts';
import { fromSweref } from './sweref.ts';

type Options = {
  source: string;
  /** the property of a feature that names its company; found by itself when left out */
  companyField?: string;
  idField?: string;
  /** the id of a company that has tariffs or is known otherwise */
  providerOf(company: string): string | undefined;
};

const companyNames =
  /^(company|f(ö|o)retag|n(ä|a)tf(ö|o)retag|n(ä|a)tbolag|bolag|n(ä|a)t(ä|a)gare|innehavare|koncessionshavare)/i;
const idNames =
  /^(concession_?id|koncession(s?_?(id|nr|nummer))?|omr(å|a)de(s?_?id)?|lnr|beteckning|id|objectid|fid)$/i;

/** A GeoJSON of concession areas, in degrees or in SWEREF 99 TM, in our form. */
export function areasOf(geojson: unknown, { source, providerOf, ...fields }: Options): AreaFile {
  const features = listOf(looseOf(geojson).features).map(looseOf);
  if (features.length === 0) throw fieldProblem('unprocessable', 'file.features', 'must hold at least one area');
  const project = projectionOf(looseOf(geojson), features);
  const areas = features.map((feature, index): Area => {
    const properties = looseOf(feature.properties);
    const operator = textOf(properties, fields.companyField, companyNames);
    if (!operator) {
      const names = Object.keys(properties).join(', ');
      throw fieldProblem('unprocessable', `file.features.${index}`, `names no company; its properties are ${names}`);
    }
    const id = textOf(properties, fields.idField, idNames) ?? String(index + 1);
    const polygons = polygonsOf(feature, index).map((rings) => rings.map((ring) => ring.map(project)));
    const provider = providerOf(operator) ?? operatorId(operator);
    return { id, operator, provider, polygons: encodePolygons(polygons, usualStep) };
  });
  return { source, step: usualStep, areas: areas.filter(({ polygons }) => polygons.length > 0) };
}

function textOf(properties: Loose, field: string | undefined, names: RegExp): string | undefined {
  const name = field ?? Object.keys(properties).find((key) => names.test(key) && properties[key] != null);
  const value = name === undefined ? undefined : properties[name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

function polygonsOf(feature: Loose, index: number): Position[][][] {
  const { type, coordinates } = looseOf(feature.geometry);
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? listOf(coordinates) : undefined;
  const isRead = polygons?.every((rings) => listOf(rings).every((ring) => listOf(ring).every(isPosition)));
  if (!polygons || !isRead) {
    throw fieldProblem('unprocessable', `file.features.${index}.geometry`, 'must be a Polygon or a MultiPolygon');
  }
  return polygons as Position[][][];
}

const isPosition = (value: unknown): boolean =>
  Array.isArray(value) && value.length >= 2 && Number.isFinite(value[0]) && Number.isFinite(value[1]);

/** GeoJSON is in degrees by its standard; exports of Swedish authorities are often in metres, and may say so. */
function projectionOf(geojson: Loose, features: Loose[]): (position: Position) => Position {
  const { name } = looseOf(looseOf(geojson.crs).properties);
  const told = typeof name === 'string' ? name : '';
  const number = /(\d+)$/.exec(told)?.[1];
  const [x, y] = firstPosition(looseOf(features[0]?.geometry).coordinates);
  const isMetres = Math.abs(x) > 180 || Math.abs(y) > 90;
  if (number === '3006' || (!number && isMetres)) return fromSweref;
  if (isMetres || (number && !['84', '4326', '4258'].includes(number))) {
    throw fieldProblem(
      'unprocessable',
      'file.crs',
      `must be WGS 84 or SWEREF 99 TM (EPSG:3006), not ${told || 'this'}`,
    );
  }
  return (position) => position;
}

function firstPosition(coordinates: unknown): Position {
  let first = coordinates;
  while (Array.isArray(first) && Array.isArray(first[0])) first = first[0];
  return isPosition(first) ? (first as Position) : [0, 0];
}
