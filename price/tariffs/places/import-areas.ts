import { fieldProblem } from '#contract/problem.ts';
import { asArray, asObject, type JsonObject } from '../eltariff.ts';
import { type AreaFile, defaultStep, encodePolygons, type MapArea, operatorId, type Position } from './area-file.ts';

type Options = {
  source: string;
  /** the feature property with the company name; detected by default */
  companyField?: string;
  idField?: string;
  providerOf(company: string): string | undefined;
};

const companyNames =
  /^(company|f(ö|o)retag|n(ä|a)tf(ö|o)retag|n(ä|a)tbolag|bolag|n(ä|a)t(ä|a)gare|innehavare|koncessionshavare)/i;
const idNames =
  /^(concession_?id|koncession(s?_?(id|nr|nummer))?|omr(å|a)de(s?_?id)?|lnr|beteckning|id|objectid|fid)$/i;

/** Converts GeoJSON concession areas, in degrees or SWEREF 99 TM, to a map file. */
export function areasOf(geojson: unknown, { source, providerOf, ...fields }: Options): AreaFile {
  const features = asArray(asObject(geojson).features).map(asObject);
  if (features.length === 0) throw fieldProblem('unprocessable', 'file.features', 'must contain at least one area');
  const project = projectionOf(asObject(geojson), features);
  const areas = features.map((feature, index): MapArea => {
    const properties = asObject(feature.properties);
    const operator = textOf(properties, fields.companyField, companyNames);
    if (!operator) {
      const names = Object.keys(properties).join(', ');
      throw fieldProblem('unprocessable', `file.features.${index}`, `has no company name; its properties are ${names}`);
    }
    const id = textOf(properties, fields.idField, idNames) ?? String(index + 1);
    const polygons = polygonsOf(feature, index).map((rings) => rings.map((ring) => ring.map(project)));
    const provider = providerOf(operator) ?? operatorId(operator);
    return { id, operator, provider, polygons: encodePolygons(polygons, defaultStep) };
  });
  return { source, step: defaultStep, areas: areas.filter(({ polygons }) => polygons.length > 0) };
}

function textOf(properties: JsonObject, field: string | undefined, names: RegExp): string | undefined {
  const name = field ?? Object.keys(properties).find((key) => names.test(key) && properties[key] != null);
  const value = name === undefined ? undefined : properties[name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

function polygonsOf(feature: JsonObject, index: number): Position[][][] {
  const { type, coordinates } = asObject(feature.geometry);
  const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? asArray(coordinates) : undefined;
  const refuse = (): never => {
    throw fieldProblem('unprocessable', `file.features.${index}.geometry`, 'must be a Polygon or a MultiPolygon');
  };
  const positionOf = (value: unknown): Position => (isPosition(value) ? value : refuse());
  return polygons?.map((rings) => asArray(rings).map((ring) => asArray(ring).map(positionOf))) ?? refuse();
}

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length >= 2 && Number.isFinite(value[0]) && Number.isFinite(value[1]);

/** Returns the projection. GeoJSON uses degrees by its standard; exports of Swedish authorities are often in metres. */
function projectionOf(geojson: JsonObject, features: JsonObject[]): (position: Position) => Position {
  const { name } = asObject(asObject(geojson.crs).properties);
  const crsName = typeof name === 'string' ? name : '';
  const number = /(\d+)$/.exec(crsName)?.[1];
  const [x, y] = firstPosition(asObject(features[0]?.geometry).coordinates);
  const isMetres = Math.abs(x) > 180 || Math.abs(y) > 90;
  if (number === '3006' || (!number && isMetres)) return fromSweref;
  if (isMetres || (number && !['84', '4326', '4258'].includes(number))) {
    throw fieldProblem(
      'unprocessable',
      'file.crs',
      `must be WGS 84 or SWEREF 99 TM (EPSG:3006), not ${crsName || 'this'}`,
    );
  }
  return (position) => position;
}

function firstPosition(coordinates: unknown): Position {
  let first = coordinates;
  while (Array.isArray(first) && Array.isArray(first[0])) first = first[0];
  return isPosition(first) ? first : [0, 0];
}

// SWEREF 99 TM (EPSG:3006): transverse Mercator on GRS 80, as the Swedish mapping agency describes its inverse.
const semiMajorAxis = 6_378_137;
const flattening = 1 / 298.257222101;
const centralMeridian = (15 * Math.PI) / 180;
const scale = 0.9996;
const falseEasting = 500_000;

const e2 = flattening * (2 - flattening);
const n = flattening / (2 - flattening);
const radius = (semiMajorAxis / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
const deltas = [
  n / 2 - (2 * n ** 2) / 3 + (37 * n ** 3) / 96 - n ** 4 / 360,
  n ** 2 / 48 + n ** 3 / 15 - (437 * n ** 4) / 1440,
  (17 * n ** 3) / 480 - (37 * n ** 4) / 840,
  (4397 * n ** 4) / 161280,
];
const latitudeTerms = [
  e2 + e2 ** 2 + e2 ** 3 + e2 ** 4,
  -(7 * e2 ** 2 + 17 * e2 ** 3 + 30 * e2 ** 4) / 6,
  (224 * e2 ** 3 + 889 * e2 ** 4) / 120,
  -(4279 * e2 ** 4) / 1260,
];

export function fromSweref([easting, northing]: Position): Position {
  const xi = northing / (scale * radius);
  const eta = (easting - falseEasting) / (scale * radius);
  const xi0 =
    xi - deltas.reduce((sum, delta, k) => sum + delta * Math.sin((2 * k + 2) * xi) * Math.cosh((2 * k + 2) * eta), 0);
  const eta0 =
    eta - deltas.reduce((sum, delta, k) => sum + delta * Math.cos((2 * k + 2) * xi) * Math.sinh((2 * k + 2) * eta), 0);
  const conformal = Math.asin(Math.sin(xi0) / Math.cosh(eta0));
  const sine = Math.sin(conformal);
  const terms = latitudeTerms.reduce((sum, term, k) => sum + term * sine ** (2 * k), 0);
  const lat = conformal + sine * Math.cos(conformal) * terms;
  const lon = centralMeridian + Math.atan(Math.sinh(eta0) / Math.cos(xi0));
  return [(lon * 180) / Math.PI, (lat * 180) / Math.PI];
}
