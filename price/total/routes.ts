import * as contract from '#contract/price/total.ts';
import type { Mount } from '#lib/http/mount.ts';
import { makeBill } from './bill.ts';
import { cheapest } from './cheapest.ts';
import { sendText } from './send-text.ts';
import type { TotalDeps } from './terms.ts';
import { totalPrice } from './total-price.ts';

export function totalRoutes(mount: Mount<object>, deps: TotalDeps): void {
  mount(contract.getTotalPrice, async ({ query }) => sendText(await totalPrice(query, deps)));
  mount(contract.getCheapest, ({ query }) => cheapest(query, deps));
}

/** Apart, because its bodies are larger than others may be. */
export function billRoutes(mount: Mount<object>, deps: TotalDeps): void {
  mount(contract.makeBill, ({ query, body }) => makeBill({ ...query, ...body }, deps));
}
