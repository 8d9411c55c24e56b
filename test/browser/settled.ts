import type { Page } from 'playwright-core';

const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Waits until the page has a heading and no request is pending. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
  await page.evaluate(drawn);
  await page.locator('main .loading').first().waitFor({ state: 'detached' }); // of the page that followed the one before
}

/** Loads a page. */
export async function goSettled(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

/** Navigates to another page of the same origin, like back and forward. */
export const walkTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(`
    history.pushState({}, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
    scrollTo(0, 0);
    ${drawn}`);

export async function walkSettled(page: Page, path: string): Promise<void> {
  await walkTo(page, path);
  await settled(page);
}

/** Elements beyond the right edge of the screen; empty when the page cannot be scrolled sideways. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('main, main *, header, nav')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => element.outerHTML.slice(0, 120))
          .slice(0, 5)`);

/** The page's own words; the API documentation is in English only. */
export const words = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('h1, h2, h3, label, legend, button, th, summary, nav a, [aria-label]')]
      .filter((element) => !element.closest('.operations'))
      .map((element) => (element.getAttribute('aria-label') ?? element.textContent).trim())`);
