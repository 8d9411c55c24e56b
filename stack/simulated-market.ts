import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#lib/clock.ts';
import { keylessForms } from '#price/electricity/keyless-forms.ts';
import { startMarket } from '#sim/market/market.ts';

type Env = Record<string, string | undefined>;

export type MarketBeside = { env: Env; close(): Promise<void> };

const patienceMs = 1000;

/** A market that plays prices, for a machine that no real one is configured on or reached from. It says so in every answer. */
export async function marketIfAlone(env: Env): Promise<MarketBeside | undefined> {
  if (isMarketNamed(env)) return undefined;
  const { hostname } = new URL(keylessForms[0]!.baseUrl);
  const isReached = lookup(hostname).then(
    () => true,
    () => false,
  );
  if (await Promise.race([isReached, sleep(patienceMs, false, { ref: false })])) return undefined;
  return startBeside(env);
}

/** The same, whether or not a real one could be reached. */
export const marketIfNoneNamed = async (env: Env): Promise<MarketBeside | undefined> =>
  isMarketNamed(env) ? undefined : startBeside(env);

const isMarketNamed = (env: Env): boolean =>
  Boolean(env.ENTSOE_TOKEN || env.ENTSOE_TOKEN_FILE || env.PRICE_SIMULATED_URL || env.PRICE_SOURCE_URLS);

async function startBeside(env: Env): Promise<MarketBeside> {
  const market = await startMarket({ clock: systemClock });
  return { env: { ...env, PRICE_SIMULATED_URL: market.entsoeUrl, FX_URL: market.ratesUrl }, close: market.close };
}
