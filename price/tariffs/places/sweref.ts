import type { Position } from './area-file.ts';

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

/** Metres east and north of SWEREF 99 TM, as degrees. */
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
