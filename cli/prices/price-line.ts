import type { Client } from '#contract/client.ts';
import type { Site } from '#contract/cloud/sites.ts';
import { getTotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import { plainMessage } from '../line/plain-message.ts';
import { daysOf, priceAt, rankOf } from './price-day.ts';
import { placeOf } from './price-terms.ts';
import { areaWords, ordinal, showPrice } from './price-words.ts';

const retryMs = 60_000;

/** Tells the price of a site whenever another one begins. A site without a price area has none. */
export function followPrice(platform: Client, site: Site, tell: (line: string) => void): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    const { line, nextInMs } = await priceLine(platform, site);
    if (isStopped) return;
    tell(line);
    timer = setTimeout(() => void look(), nextInMs).unref();
  }

  if (site.price_area !== undefined) void look();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function priceLine(platform: Client, site: Site): Promise<{ line: string; nextInMs: number }> {
  const now = systemClock.now();
  try {
    const answer = await platform.call(getTotalPrice, { query: placeOf(site)! });
    const found = priceAt(daysOf(answer), now);
    if (!found) return { line: `The price of ${areaWords(answer)} now is not known.`, nextInMs: retryMs };
    const { point, day } = found;
    const simulated = answer.metadata.is_simulated ? ', simulated' : '';
    const line =
      `Price now: ${showPrice(point.price)} ${answer.currency}/kWh spot in ${areaWords(answer)}, without VAT${simulated}; ` +
      `the ${ordinal(rankOf(point, day))} cheapest of ${day.points.length} hours today.`;
    return { line, nextInMs: point.end - now };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { line: `The price is not known: ${plainMessage(error.message)}`, nextInMs: retryMs };
  }
}
