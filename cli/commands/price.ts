import { resolve } from 'node:path';
import { readConfig } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';
import { configOption, configuredEnv } from '../configuration/configured-env.ts';
import { command } from '../line/command.ts';
import { keepRunning } from '../server/keep-running.ts';
import { priceBill } from './price-bill.ts';
import { priceCheapest } from './price-cheapest.ts';
import { priceNow } from './price-now.ts';
import { priceToday } from './price-today.ts';
import { priceTotal } from './price-total.ts';

const price = command('price', {
  summary: 'Run the price service separately until Ctrl-C or SIGTERM',
  options: {
    config: configOption,
    data: { value: 'DIR', help: 'data folder; overrides PRICE_DATA_DIR' },
    simulated: { help: 'use a simulated market instead of real ones' },
  },
  environment: PriceConfig,
  examples: ['price', 'price --data /var/lib/ohmstead-price', 'price --simulated'],
  async run({ options }, shell) {
    const set = { PRICE_DATA_DIR: options.data };
    const configured = await configuredEnv(shell, { config: options.config, programs: ['price'], set });
    const market = options.simulated
      ? await (await import('#stack/simulated-market.ts')).startSimulatedMarket(configured)
      : undefined;
    const env = market?.env ?? configured;
    const { startPrice } = await import('#price/main.ts'); // loaded only by this command
    const running = await startPrice(env, { version: shell.version });
    const close = async (): Promise<void> => {
      await running.close();
      await market?.close();
    };
    const rows = [
      ['Ohmstead prices', shell.version],
      ['Address', running.url],
      ['API pages', `${running.url}/docs`],
      ['Sources', running.sources.join(', ') || 'none'],
      ['Data', resolve(readConfig(PriceConfig, env).PRICE_DATA_DIR)],
    ];
    keepRunning({ close, log: running.log }, rows, shell);
  },
});

export const commands = [price, priceNow, priceToday, priceTotal, priceCheapest, priceBill];
