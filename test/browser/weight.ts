import type { Page } from 'playwright-core';

/** Compressed size of the page's scripts in kilobytes. */
export const scriptKilobytes = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`,
  );
