import { once } from 'node:events';
import { connect } from 'node:net';
import { Problem } from '#contract/problem.ts';
import { UsageError } from '../line/usage-error.ts';

/** How large the fleet is, and how much it says. */
export type FleetOrder = {
  gateways: number;
  devices: number;
  perSecond: number;
  minutes: number | undefined;
  dropsPerMinute: number;
};

type Texts = Record<'gateways' | 'devices' | 'rate' | 'minutes' | 'drops', string | undefined>;

const usualGateways = 10;
const usualPaceS = 10;
const longestMinutes = 30_000; // what a timer takes

export function orderOf({ gateways: many, devices: each, rate, minutes, drops }: Texts): FleetOrder {
  const gateways = numberOf(many, 'gateways', { least: 1, most: 100_000, isWhole: true }) ?? usualGateways;
  const devices = numberOf(each, 'devices', { least: 1, most: 64, isWhole: true }) ?? 1;
  return {
    gateways,
    devices,
    perSecond: numberOf(rate, 'rate', { least: 0.01, most: 100_000 }) ?? (gateways * devices) / usualPaceS,
    minutes: numberOf(minutes, 'minutes', { least: 0.01, most: longestMinutes }),
    dropsPerMinute: numberOf(drops, 'drops', { least: 0, most: 60_000 }) ?? 0,
  };
}

type Bounds = { least: number; most: number; isWhole?: boolean };

function numberOf(text: string | undefined, option: string, { least, most, isWhole }: Bounds): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  const isOne = /^\d+(\.\d+)?$/.test(text) && number >= least && number <= most;
  if (isOne && (!isWhole || Number.isInteger(number))) return number;
  throw new UsageError(`--${option} is a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`, 'sim fleet');
}

const patienceMs = 5000;

/** The broker of a platform, once something answers there: a wrong address would look like a platform that is away. */
export async function brokerUrl(given: string | undefined, platform: string): Promise<string> {
  const url = URL.parse(given ?? `mqtt://${new URL(platform).hostname}:1883`);
  if (!url || !/^mqtts?:$/.test(url.protocol) || !url.hostname) {
    throw new UsageError(`"${given}" is no address of a broker; one is mqtt://localhost:1883.`, 'sim fleet');
  }
  const port = Number(url.port || (url.protocol === 'mqtts:' ? 8883 : 1883));
  const socket = connect({ host: url.hostname, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patienceMs) });
  } catch (cause) {
    throw new Problem('unavailable', `No broker answers at ${url.href}; name it with --mqtt.`, {}, { cause });
  } finally {
    socket.destroy();
  }
  return url.href;
}
