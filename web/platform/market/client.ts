import { createClient } from '#contract/client.ts';
import { patience } from '../../parts/patience.ts';

/** Prices and tariffs are public: nobody needs to be signed in. */
export const prices = createClient({ baseUrl: '', ...patience });
