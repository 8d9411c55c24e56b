import { createClient } from '#contract/client.ts';
import { retryPolicy } from '../../parts/retry-policy.ts';

/** Prices and tariffs are public: nobody needs to be signed in. */
export const prices = createClient({ baseUrl: '', ...retryPolicy });
