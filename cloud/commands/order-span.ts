import type { createOrder, OrderEnd } from '#contract/cloud/orders.ts';
import { cheapestStepS, maxOrderS } from '#contract/cloud/orders.ts';
import { cheapestWindow } from '#contract/price/cheapest-window.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { hourMs } from '#contract/time.ts';
import { nextTimeOfDay } from '#contract/time-zone.ts';
import type { PricedSite, Prices } from '../alerts/prices.ts';
import type { SiteRow } from '../store/schema.ts';

export type OrderBody = RequestOf<typeof createOrder>['body'];

/** When an order begins, and when it ends at the latest. */
export type OrderSpan = { kind: OrderEnd; starts_at: number; ends_at: number };

export type PricesOf = (site: PricedSite, now: number) => Promise<Prices | undefined>;

const kindOf = {
  for_s: 'duration',
  until: 'time_of_day',
  until_soc_pct: 'state_of_charge',
  cheapest_s: 'cheapest',
} as const satisfies Partial<Record<keyof OrderBody, OrderEnd>>;

const ends = Object.keys(kindOf) as (keyof typeof kindOf)[];

/** Returns the times of an order at a site. Throws a Problem if they are not given exactly once, or unknown. */
export async function spanOf(body: OrderBody, site: SiteRow, now: number, pricesOf: PricesOf): Promise<OrderSpan> {
  const [given, ...others] = ends.filter((name) => body[name] !== undefined);
  if (!given || others.length > 0) {
    throw fieldProblem('unprocessable', `body.${others[0] ?? 'for_s'}`, `give exactly one of ${ends.join(', ')}`);
  }
  const kind = kindOf[given];
  if (body.before !== undefined && kind !== 'cheapest') {
    throw fieldProblem('unprocessable', 'body.before', 'is only for cheapest_s');
  }
  if (kind === 'cheapest') return { kind, ...(await cheapestSpan(body, site, now, pricesOf)) };
  const ends_at =
    body.until === undefined ? now + (body.for_s ?? maxOrderS) * 1000 : timeAt(site, 'until', body.until, now);
  return { kind, starts_at: now, ends_at };
}

function timeAt({ timezone }: SiteRow, name: 'until' | 'before', time: string, now: number): number {
  if (timezone !== null) return nextTimeOfDay(timezone, time, now);
  throw fieldProblem('unprocessable', `body.${name}`, 'the site has no time zone; set one, or its position');
}

/** Finds the cheapest time among whole quarters of an hour that are still to come. */
async function cheapestSpan(
  { power_w, cheapest_s = 0, before }: OrderBody,
  site: SiteRow,
  now: number,
  pricesOf: PricesOf,
): Promise<Omit<OrderSpan, 'kind'>> {
  if (power_w < 0) {
    throw fieldProblem(
      'unprocessable',
      'body.power_w',
      'the cheapest time is for charging; discharging then costs the most',
    );
  }
  const latest = before === undefined ? Number.POSITIVE_INFINITY : timeAt(site, 'before', before, now);
  const hours = `${(cheapest_s * 1000) / hourMs} h`;
  if (latest - now < cheapest_s * 1000)
    throw fieldProblem('unprocessable', 'body.before', `is less than ${hours} away`);
  if (site.price_area === null && site.latitude === null) {
    throw new Problem('conflict', 'The site has neither a price area nor a position, so its prices are unknown.');
  }
  const prices = await pricesOf({ ...site, timeZone: site.timezone ?? 'UTC' }, now);
  const steps = prices?.steps.filter(({ start, end }) => start >= now && end <= latest) ?? [];
  const window = cheapestWindow(steps, cheapest_s / cheapestStepS);
  const [first, last] = [window?.at(0), window?.at(-1)];
  if (first && last) return { starts_at: first.start, ends_at: last.end };
  const where = before === undefined ? 'in the time to come' : `before ${before}`;
  throw new Problem(
    'conflict',
    `Prices are not known for ${hours} in a row ${where}. Those of tomorrow are published early in the afternoon.`,
  );
}
