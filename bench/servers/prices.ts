import { systemClock } from '#lib/clock.ts';
import { startPrice } from '#price/main.ts';
import { startMarket } from '#sim/market/market.ts';
import { report } from './report.ts';

const market = await startMarket({ clock: systemClock });
const { url, close } = await startPrice(
  {
    PRICE_PORT: '0',
    PRICE_DATA_DIR: process.argv[2],
    PRICE_SIMULATED_URL: market.entsoeUrl,
    FX_URL: market.ratesUrl,
    RATE_PRICES: '1000000000',
    LOG_LEVEL: 'warn',
  },
  { version: '0.0.0' },
);
report({ url: url.replace('localhost', '127.0.0.1') }, async () => {
  await close();
  await market.close();
});
