import { createClient } from '#contract/client.ts';

/** Prices and tariffs are public: nobody needs to be signed in. */
export const prices = createClient({ baseUrl: '', retries: 3 });
