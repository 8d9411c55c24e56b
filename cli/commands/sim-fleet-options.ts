import { once } from 'node:events';
import { connect } from 'node:net';
import { Problem } from '#contract/problem.ts';
import { UsageError } from '../line/command.ts';
import { parseNumber } from '../line/quantity.ts';

/** The size of the fleet and the rate of its readings. */
export type FleetOptions = {
  gateways: number;
  devices: number;
  perSecond: number;
  minutes: number | undefined;
  dropsPerMinute: number;
};

type Texts = Record<'gateways' | 'devices' | 'rate' | 'minutes' | 'drops', string | undefined>;

const defaultGateways = 10;
const defaultIntervalS = 10;
const maxMinutes = 30_000; // limit of a timer

export function parseFleetOptions({ gateways: many, devices: each, rate, minutes, drops }: Texts): FleetOptions {
  const gateways = parseNumber('gateways', many, { min: 1, max: 100_000, isWhole: true }) ?? defaultGateways;
  const devices = parseNumber('devices', each, { min: 1, max: 64, isWhole: true }) ?? 1;
  return {
    gateways,
    devices,
    perSecond: parseNumber('rate', rate, { min: 0.01, max: 100_000 }) ?? (gateways * devices) / defaultIntervalS,
    minutes: parseNumber('minutes', minutes, { min: 0.01, max: maxMinutes }),
    dropsPerMinute: parseNumber('drops', drops, { min: 0, max: 60_000 }) ?? 0,
  };
}

const connectTimeoutMs = 5000;

/** Returns the address of the broker after checking that it accepts connections. */
export async function brokerUrl(given: string | undefined, platform: string): Promise<string> {
  const url = URL.parse(given ?? `mqtt://${new URL(platform).hostname}:1883`);
  if (!url || !/^mqtts?:$/.test(url.protocol) || !url.hostname) {
    throw new UsageError(`"${given}" is not a valid broker address. Example: mqtt://localhost:1883`);
  }
  const port = Number(url.port || (url.protocol === 'mqtts:' ? 8883 : 1883));
  const socket = connect({ host: url.hostname, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
  } catch (cause) {
    const sentence = `Cannot reach a broker at ${url.href}; give its address with --mqtt.`;
    throw new Problem('unavailable', sentence, {}, { cause });
  } finally {
    socket.destroy();
  }
  return url.href;
}
