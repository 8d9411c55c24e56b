import '../check-replies.ts';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { createPriceServer } from '#price/app.ts';
import { PriceConfig } from '#price/config.ts';
import { openPriceService, type PriceService } from '#price/open-service.ts';
import { type Market, startMarket } from '#sim/market/market.ts';
import { createFakeClock } from '../fake-clock.ts';

/** A Wednesday in winter, after the prices of tomorrow are out. */
export const wednesday = Date.parse('2026-01-14T15:00:00Z');

// biome-ignore lint/suspicious/noExplicitAny: a test looks into any answer
type Reply = { status: number; headers: Record<string, unknown>; body: any };

export type TestPrice = AsyncDisposable & {
  app: FastifyInstance;
  service: PriceService;
  market: Market;
  clock: ReturnType<typeof createFakeClock>;
  get(path: string): Promise<Reply & { text: string }>;
  post(path: string, body: unknown, type?: string): Promise<Reply>;
};

/** The price service with a simulated market, at a time that stands still. */
export async function openPrice(env: Record<string, string> = {}, now = wednesday): Promise<TestPrice> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-price-'));
  const clock = createFakeClock(now);
  const log = createLog({ level: 'silent', name: 'price' });
  const market = await startMarket({ clock });
  const config = readConfig(PriceConfig, {
    PRICE_DATA_DIR: join(folder.path, 'data'),
    PRICE_SIMULATED_URL: market.entsoeUrl,
    FX_URL: market.ratesUrl,
    ...env,
  });
  const service = openPriceService(config, { clock, log });
  const app = createPriceServer(config, { service, clock, log, version: '0.0.0' });
  await service.start();

  const call = async (request: InjectOptions) => {
    const { statusCode, headers, body } = await app.inject(request);
    return {
      status: statusCode,
      headers,
      text: body,
      get body() {
        return JSON.parse(body);
      },
    };
  };
  return {
    app,
    service,
    market,
    clock,
    get: (url) => call({ method: 'GET', url }),
    post: (url, payload, type = 'application/json') =>
      call({
        method: 'POST',
        url,
        headers: { 'content-type': type },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await service.close();
      await market.close();
      await folder.remove();
    },
  };
}

/** Intervals of an hour from an instant on, each with this energy. */
export const hoursFrom = (start: string, energies: readonly number[]) =>
  energies.map((import_kwh, n) => ({ start: new Date(Date.parse(start) + n * 3_600_000).toISOString(), import_kwh }));
