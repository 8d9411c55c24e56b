import { dayMs, hourMs } from '#contract/time.ts';
import { Distribution } from './distribution.ts';
import { daysBefore, endOf, type History, meanOver, type Span } from './history.ts';

export type GeoPosition = { latitude: number; longitude: number };

type SunOptions = {
  timezone: string;
  position?: GeoPosition | undefined;
  /** global irradiance of a weather source in W/m², of the past and of the time to forecast */
  irradiance?: History | undefined;
};

export type SunForecast = (span: Span) => Distribution;

const learnedDays = 35;
const dailyDecay = 0.96; // a day counts this much less than the day after it
const unscaledDecay = 0.9; // the same where nothing tells how the season changes
const weatherLifeMs = 6 * hourMs; // after which 1/e of the weather of the last hours is left
const recentHours = 2;
const least = 15; // W/m²; below, a ratio to it teaches nothing
const maxFactor = 2.5;

/**
 * Returns a forecast of what a roof offers: its values at the same time of recent days, scaled by the irradiance of a clear
 * sky or of a weather source, and by the weather of the last hours. So the shape of the roof and its shadows are learned.
 */
export function forecastSun(history: History, { timezone, position, irradiance }: SunOptions): SunForecast {
  const now = endOf(history);
  const litBySource = (span: Span): number => (irradiance ? meanOver(irradiance, span) : Number.NaN);
  const litByClearSky = (span: Span): number => (position ? clearSkyOver(span, position) : Number.NaN);

  function usual(span: Span): [value: number, weight: number][] {
    const [bySource, byClearSky] = [litBySource(span), litByClearSky(span)];
    const cases: [number, number][] = [];
    const first = Math.max(1, Math.ceil((span.end - now) / dayMs));
    for (let days = first; days < first + learnedDays; days++) {
      const before = daysBefore(span, days, timezone);
      if (before.start < history.startMs) break;
      const value = meanOver(history, before);
      if (Number.isNaN(value)) continue;
      const bySourceThen = Number.isNaN(bySource) ? Number.NaN : litBySource(before);
      // A cloudy hour of the source must not be compared with the clear sky of a day that the source does not know.
      const [light, lightThen] = Number.isNaN(bySourceThen)
        ? [byClearSky, litByClearSky(before)]
        : [bySource, bySourceThen];
      if (Number.isNaN(light) || Number.isNaN(lightThen)) cases.push([value, unscaledDecay ** days]);
      else if (light < least) cases.push([Math.min(value, light), dailyDecay ** days]);
      else if (lightThen >= least) {
        // A dark hour tells little about a bright one: its ratio is mostly noise.
        const trust = Number.isNaN(bySourceThen) ? 1 : Math.min(1, lightThen / light);
        cases.push([(value * light) / lightThen, dailyDecay ** days * trust]);
      }
    }
    return cases;
  }

  let [recent, expected] = [0, 0];
  for (let hour = 1; hour <= recentHours; hour++) {
    const span = { start: now - hour * hourMs, end: now - (hour - 1) * hourMs };
    const value = meanOver(history, span);
    const cases = usual(span);
    if (Number.isNaN(value) || cases.length === 0) continue;
    recent += value;
    expected += new Distribution(cases).mean;
  }
  const isDay = expected > 0.05 * recentHours * highest(history);
  const weather = isDay ? Math.min(maxFactor, recent / expected) : 1;

  return (span) => {
    const cases = usual(span);
    if (cases.length === 0) return new Distribution([[0, 1]]);
    const most = Math.max(...cases.map(([value]) => value)); // the clearest day: more is not expected
    const factor = 1 + (weather - 1) * Math.exp(-Math.max(0, span.start - now) / weatherLifeMs);
    return new Distribution(cases.map(([value, weight]) => [Math.min(most, Math.max(0, value * factor)), weight]));
  };
}

/** Returns the highest value of the days to learn from. */
function highest({ values, stepMs }: History): number {
  let most = 0;
  for (let i = Math.max(0, values.length - (learnedDays * dayMs) / stepMs); i < values.length; i++)
    if (values[i]! > most) most = values[i]!;
  return most;
}

/** Returns the mean irradiance of a span under a clear sky, W/m². */
export function clearSkyOver({ start, end }: Span, position: GeoPosition): number {
  const samples = 4;
  let sum = 0;
  for (let i = 0; i < samples; i++) sum += clearSky(start + ((i + 0.5) * (end - start)) / samples, position);
  return sum / samples;
}

const radians = Math.PI / 180;
const j2000Ms = Date.UTC(2000, 0, 1, 12);

/** Returns the global irradiance on level ground under a clear sky, W/m², by the model of Haurwitz. */
export function clearSky(ms: number, { latitude, longitude }: GeoPosition): number {
  // Position of the sun by the low precision formulas of the Astronomical Almanac.
  const days = (ms - j2000Ms) / dayMs;
  const anomaly = (357.529 + 0.98560028 * days) * radians;
  const meanLongitude = 280.459 + 0.98564736 * days;
  const ecliptic = (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * radians;
  const tilt = 23.439 * radians;
  const declination = Math.asin(Math.sin(tilt) * Math.sin(ecliptic));
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(ecliptic), Math.cos(ecliptic));
  const sidereal = (280.46062 + 360.98564737 * days + longitude) * radians;
  const height =
    Math.sin(latitude * radians) * Math.sin(declination) +
    Math.cos(latitude * radians) * Math.cos(declination) * Math.cos(sidereal - ascension);
  return height > 0 ? 1098 * height * Math.exp(-0.057 / height) : 0;
}
