import type { Order } from '#contract/cloud/orders.ts';
import { formatLocalTime } from '../line/time.ts';

/** Describes when an order holds its DER: `from 2026-01-31 02:00 until 2026-01-31 05:00`. */
export function orderTimes({ status, starts_at, ends_at, target_soc_pct: charge }: Order, timeZone: string): string {
  const [from, until] = [starts_at, ends_at].map((time) => formatLocalTime(timeZone, Date.parse(time)));
  if (charge !== undefined) return `until ${charge} % charged, at the latest ${until}`;
  return status === 'waiting' ? `from ${from} until ${until}` : `until ${until}`;
}
