import { createClient } from '#contract/client.ts';
import { retryPolicy } from '../../parts/retry-policy.ts';

/** Prices and tariffs do not require sign-in. */
export const priceApi = createClient({ baseUrl: '', ...retryPolicy });
