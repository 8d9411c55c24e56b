import { openFuzzCloud } from './cloud.ts';
import { openFuzzGateway } from './gateway.ts';
import { openFuzzPrices } from './prices.ts';
import type { FuzzService } from './service.ts';

type Fuzzed = {
  name: string;
  /** of the requests */
  share: number;
  /** number of concurrent requests: one that waits for devices leaves time for others */
  lanes: number;
  open(): Promise<FuzzService>;
};

/** Our services. */
export const fuzzServices: readonly Fuzzed[] = [
  { name: 'cloud', share: 0.6, lanes: 2, open: openFuzzCloud },
  { name: 'prices', share: 0.2, lanes: 1, open: openFuzzPrices },
  { name: 'gateway', share: 0.2, lanes: 3, open: openFuzzGateway },
];
