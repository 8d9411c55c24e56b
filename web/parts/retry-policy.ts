/** Limits the retries of requests: a page reports a longer outage instead of waiting for its end. */
export const retryPolicy = { retries: 3, longestWaitMs: 3000 };
