import { openFuzzCloud } from './cloud.ts';
import { openFuzzGateway } from './gateway.ts';
import { openFuzzPrices } from './prices.ts';
import type { FuzzService } from './service.ts';

/** Our services, and the share of the requests that each of them gets. */
export const fuzzServices: readonly { name: string; share: number; open(): Promise<FuzzService> }[] = [
  { name: 'cloud', share: 0.6, open: openFuzzCloud },
  { name: 'prices', share: 0.2, open: openFuzzPrices },
  { name: 'gateway', share: 0.2, open: openFuzzGateway },
];
