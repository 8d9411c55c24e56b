import type { Client } from '#contract/client.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { getTotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import { plainMessage } from '../line/plain-message.ts';
import { daysOf, priceAt, rankOf } from './price-day.ts';
import { locationOf, type PriceLocation } from './price-options.ts';
import { describeArea, formatPrice, ordinal } from './price-words.ts';

const retryMs = 60_000;

/** Calls back with the price of a site at every change. Does nothing for a site without a price area. */
export function followPrice(platform: Client, site: Site, onLine: (line: string) => void): { stop(): void } {
  const query = site.price_area === undefined ? undefined : locationOf(site);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    if (!query) return;
    const { line, nextInMs } = await priceLine(platform, query);
    if (isStopped) return;
    onLine(line);
    timer = setTimeout(() => void look(), nextInMs).unref();
  }

  void look();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function priceLine(platform: Client, query: PriceLocation['query']): Promise<{ line: string; nextInMs: number }> {
  const now = systemClock.now();
  try {
    const answer = await platform.call(getTotalPrice, { query });
    const found = priceAt(daysOf(answer), now);
    if (!found) return { line: `The current price of ${describeArea(answer)} is unknown.`, nextInMs: retryMs };
    const { point, day } = found;
    const simulated = answer.metadata.is_simulated ? ', simulated' : '';
    const line =
      `Price now: ${formatPrice(point.price)} ${answer.currency}/kWh spot in ${describeArea(answer)}, without VAT${simulated}; ` +
      `the ${ordinal(rankOf(point, day))} cheapest of ${day.points.length} hours today.`;
    return { line, nextInMs: point.end - now };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { line: `Price unknown: ${plainMessage(error.message)}`, nextInMs: retryMs };
  }
}
