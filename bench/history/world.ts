import type { TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { type Finding, measured } from '../measure/finding.ts';
import type { TimeSeriesPeer } from '../peers/time-series-peer.ts';
import { fillStretch } from '../workload/fill.ts';
import { createMeters } from '../workload/readings.ts';

// Half past twelve: half a day is sealed, half an hour is not.
export const now = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2 + hourMs / 2;

export const sites = 41; // of five DERs each
const fleetSize = 200;
const fleetHours = 48;
export const longKept = 6;

/** The numbers of the DERs, in the order of their ids. */
export type Ders = {
  fleet: readonly number[];
  /** the first of the fleet, with readings of 30 days */
  long: readonly number[];
  /** the one after the fleet, with a reading every five minutes for a year */
  yearly: number;
};

/** The index of the yearly one. */
export const yearlyPlace = fleetSize;

export const dersOf = (numbers: readonly number[]): Ders => ({
  fleet: numbers.slice(0, fleetSize),
  long: numbers.slice(0, longKept),
  yearly: numbers[yearlyPlace]!,
});

/** All receive the same readings. */
type Targets = { telemetry: TelemetryStore; peers: readonly TimeSeriesPeer[] };

/** Fills 48 h of the fleet, 30 days of six of them, and a year of one more. */
export async function fillWorld({ telemetry, peers }: Targets, { fleet, long, yearly }: Ders): Promise<Finding[]> {
  const began = performance.now();
  const readings = createMeters();
  const fleetFrom = now - fleetHours * hourMs;
  const stretches = [
    { ders: [yearly], from: now - 365 * dayMs, to: now, stepMs: 5 * minuteMs },
    { ders: long, from: now - 30 * dayMs, to: fleetFrom },
    { ders: fleet, from: fleetFrom, to: now },
  ];
  let count = 0;
  for (const stretch of stretches) count += await fillStretch(telemetry, stretch, { readings, peers });
  const systems = ['ours', ...peers.map(({ name }) => name)].join(', ');
  const what = `fill ${(count / 1e6).toFixed(1)} million readings and seal them: ${systems}, at once`;
  const findings = [measured(what, 's', [(performance.now() - began) / 1000])];
  for (const peer of peers) {
    await peer.settle();
    findings.push(measured(`a reading of all these, ${peer.name}`, 'bytes', [(await peer.bytes()) / count]));
  }
  return findings;
}
