import type { Page } from 'playwright-core';

/** What the scripts of the page weighed on their way, compressed, in kilobytes. */
export const scriptKilobytes = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000`,
  );
