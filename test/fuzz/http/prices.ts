import { openPrice } from '../../price/open-price.ts';
import { type FuzzService, liveDocument } from './service.ts';

const things: Record<string, readonly unknown[]> = {
  area: ['SE3', 'SE', 'DE', 'NO2', 'FI', 'nowhere'],
  date: ['2026-01-14', '2026-01-15', '2025-10-26', '2030-01-01'],
  days: ['1', '2', '31'],
  currency: ['EUR', 'SEK', 'XXX'],
  resolution: ['PT60M', 'PT15M', 'PT1M'],
  start: ['2026-01-14T00:00:00Z'],
};

/** The price service with a simulated market. */
export async function openFuzzPrices(): Promise<FuzzService> {
  const price = await openPrice({ RATE_PRICES: '1000000000' });
  const { app } = price;
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    name: 'prices',
    document: await liveDocument(app),
    credentials: () => ({ anybody: '', 'a caller of the platform': 'Bearer abc.def.ghi' }),
    known: (name) => things[name] ?? [],
    names: () => ({}),
    appOf: () => app,
    url,
    async renew() {},
    [Symbol.asyncDispose]: () => price[Symbol.asyncDispose](),
  };
}
