import { lookup } from 'node:dns/promises';
import { systemClock } from '#lib/clock.ts';
import { type Env, isGiven, withValues } from '#lib/config.ts';
import { within } from '#lib/within.ts';
import { keylessSources } from '#price/electricity/keyless.ts';
import { startMarket } from '#sim/market/market.ts';

export type SimulatedMarket = { env: Env; close(): Promise<void> };

const lookupTimeoutMs = 1000;

/** Starts a simulated market that replaces all others. Its prices are marked as simulated. */
export async function startSimulatedMarket(env: Env): Promise<SimulatedMarket> {
  const { entsoeUrl, ratesUrl, close } = await startMarket({ clock: systemClock });
  return { env: withValues(env, { PRICE_SIMULATED_URL: entsoeUrl, FX_URL: ratesUrl }), close };
}

export async function simulateMarketIfOffline(env: Env): Promise<SimulatedMarket | undefined> {
  if (isMarketSet(env)) return undefined;
  const [source] = keylessSources;
  const address = source && lookup(new URL(source.baseUrl).hostname).catch(() => undefined);
  const isReachable = address && (await within(lookupTimeoutMs, address)) !== undefined;
  return isReachable ? undefined : startSimulatedMarket(env);
}

export const simulateMarketIfUnset = async (env: Env): Promise<SimulatedMarket | undefined> =>
  isMarketSet(env) ? undefined : startSimulatedMarket(env);

const isMarketSet = (env: Env): boolean =>
  ['ENTSOE_TOKEN', 'PRICE_SIMULATED_URL', 'PRICE_SOURCE_URLS'].some((name) => isGiven(name, env));
