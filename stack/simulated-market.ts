import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { type Env, isGiven, withValues } from '#lib/config.ts';
import { keylessSources } from '#price/electricity/keyless.ts';
import { startMarket } from '#sim/market/market.ts';

export type MarketBeside = { env: Env; close(): Promise<void> };

const patienceMs = 1000;

/** A market that plays prices, in place of all others. It says so in every answer. */
export async function startMarketBeside(env: Env): Promise<MarketBeside> {
  const { entsoeUrl, ratesUrl, close } = await startMarket({ clock: systemClock });
  return { env: withValues(env, { PRICE_SIMULATED_URL: entsoeUrl, FX_URL: ratesUrl }), close };
}

/** The same for a machine that no real one is configured on or reached from. */
export async function marketIfAlone(env: Env): Promise<MarketBeside | undefined> {
  if (isMarketNamed(env)) return undefined;
  const { hostname } = new URL(keylessSources[0]!.baseUrl);
  const isReached = lookup(hostname).then(
    () => true,
    () => false,
  );
  if (await Promise.race([isReached, sleep(patienceMs, false, { ref: false })])) return undefined;
  return startMarketBeside(env);
}

/** The same where none is configured, whether or not a real one could be reached. */
export const marketIfNoneNamed = async (env: Env): Promise<MarketBeside | undefined> =>
  isMarketNamed(env) ? undefined : startMarketBeside(env);

const isMarketNamed = (env: Env): boolean =>
  ['ENTSOE_TOKEN', 'PRICE_SIMULATED_URL', 'PRICE_SOURCE_URLS'].some((name) => isGiven(name, env));
