import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { electricityRoutesAt } from '#contract/price/electricity.ts';
import { createMount } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';
import { type OpenPrices, openPrices } from '#price/electricity/open-prices.ts';
import { electricityRoutes } from '#price/electricity/routes.ts';
import { createSources, type SourceSettings } from '#price/electricity/sources.ts';
import { type Market, startMarket } from '#sim/market/market.ts';
import { createFakeClock } from '../fake-clock.ts';

type SpotOptions = {
  /** when it begins */
  at: string;
  token?: string;
  settings?: (market: Market) => SourceSettings;
  fixedRates?: Record<string, number>;
};

/** A simulated market, and prices that are asked from it over HTTP. The log is kept. */
export async function openSpot({ at, token, settings, fixedRates = {} }: SpotOptions) {
  const clock = createFakeClock(Date.parse(at));
  const market = await startMarket({ clock, ...(token !== undefined && { token }) });
  const { path: dataDir, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-prices-'));
  const lines: string[] = [];
  const log = createLog({ level: 'debug', name: 'price', destination: { write: (line) => lines.push(line) } });
  const open = (): OpenPrices =>
    openPrices({
      dataDir,
      sources: createSources(settings?.(market) ?? { simulatedUrl: market.entsoeUrl }),
      rates: { url: market.ratesUrl, fixed: fixedRates },
      clock,
      log,
    });
  let prices = open();
  return {
    clock,
    market,
    dataDir,
    lines,
    log,
    get prices() {
      return prices;
    },
    /** As after a restart, with what happens in between. */
    async reopen(meanwhile?: () => Promise<void>): Promise<void> {
      await prices.close();
      await meanwhile?.();
      prices = open();
    },
    async [Symbol.asyncDispose]() {
      await prices.close();
      await market.close();
      await remove();
    },
  };
}

export type Spot = Awaited<ReturnType<typeof openSpot>>;

/** The spot prices on a server of their own, under both prefixes. */
export function createSpotServer({ prices, log }: Pick<Spot, 'prices' | 'log'>) {
  const app = createServer({ log, apiVersion: '1' });
  const mount = createMount<object>(app, {
    unknownFields: 'refuse',
    admit: () => async () => {},
    serve: (_route, _request, handle) => handle({}),
  });
  for (const prefix of ['/price/electricity', '/services/price/electricity'] as const)
    electricityRoutes(mount, electricityRoutesAt(prefix), prices);
  return app;
}
