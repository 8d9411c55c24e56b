import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { readConfig } from '#lib/config.ts';
import { onShutdown } from '#lib/lifecycle.ts';
import { PriceConfig } from '#price/config.ts';
import { command } from '../command.ts';
import { columns } from '../output.ts';

const shutdownMs = 10_000;

const price = command({
  name: 'price',
  summary: 'Run the price service by itself until it is told to stop (Ctrl-C, SIGTERM)',
  options: { data: { value: 'DIR', says: 'data folder, instead of PRICE_DATA_DIR' } },
  environment: PriceConfig,
  examples: ['price', 'price --data /var/lib/ohmstead-price'],
  async run({ options }, shell) {
    const env = options.data === undefined ? shell.env : { ...shell.env, PRICE_DATA_DIR: options.data };
    const { startPrice } = await import('#price/main.ts'); // here, so that no other command waits for all of it
    const running = await startPrice(env, { version: shell.version });
    flushCompileCache(); // at its end may be too late: a server is often killed
    onShutdown(running.close, { timeoutMs: shutdownMs, log: running.log });
    if (!shell.stdout.isTTY) return;
    const rows = [
      ['Ohmstead prices', shell.version],
      ['Address', running.url],
      ['API pages', `${running.url}/docs`],
      ['Sources', running.sources.join(', ') || 'none'],
      ['Data', resolve(readConfig(PriceConfig, env).PRICE_DATA_DIR)],
    ];
    shell.stdout.write(`\n${columns(rows)}\n\nCtrl-C stops it.\n`);
  },
});

export const priceCommands = [price];
