/** How pages ask: somebody looks at them, and is told of what will take longer instead of waiting for it. */
export const patience = { retries: 3, longestWaitMs: 3000 };
