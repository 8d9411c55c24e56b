import type { HouseModel } from '../house.ts';
import type { SimulatedDevice } from './street-gateway.ts';

export type StreetHome = ReturnType<typeof streetHome>;

// In different cells of the public map.
const quarters = [
  { name: 'Solna', latitude: 59.368, longitude: 18.008 },
  { name: 'Nacka', latitude: 59.31, longitude: 18.163 },
  { name: 'Täby', latitude: 59.442, longitude: 18.073 },
  { name: 'Huddinge', latitude: 59.237, longitude: 17.982 },
  { name: 'Sollentuna', latitude: 59.428, longitude: 17.951 },
  { name: 'Lidingö', latitude: 59.366, longitude: 18.135 },
] as const;

const goldenAngle = 2.399963; // rad: neighbours are never in one line
const radius_deg = 0.006;
const firstSeed = 100;

/** Returns the home of this number: always a meter, usually panels, sometimes a battery. */
export function streetHome(number: number) {
  const quarter = quarters[number % quarters.length] ?? quarters[0];
  const place = {
    latitude: quarter.latitude + radius_deg * Math.sin(number * goldenAngle),
    longitude: quarter.longitude + radius_deg * Math.cos(number * goldenAngle),
  };
  const hasPanels = number % 4 !== 3;
  const hasBattery = hasPanels && number % 3 === 0;
  const no = String(number + 1).padStart(2, '0');
  const sizes = {
    pvPeak_W: hasPanels ? 4000 + 1500 * (number % 5) : 0,
    battery_W: hasBattery ? 5000 : 0,
    charger_W: 0,
  };
  const devices: SimulatedDevice[] = [{ sn: `SIMMETER${no}`, kinds: ['meter'] }];
  if (hasPanels) devices.push({ sn: `SIMINVERTER${no}`, kinds: hasBattery ? ['pv', 'battery'] : ['pv'] });
  const model: HouseModel = { seed: firstSeed + 20 * number, ...place, sizes }; // a house also uses the next seeds
  return { name: `Simulated house ${no}, ${quarter.name}`, ...place, model, devices };
}
