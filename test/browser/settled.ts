import type { Page } from 'playwright-core';
import { until } from '../until.ts';

/** Goes there, and waits until the page has a heading and nothing is on its way. */
export async function goSettled(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('main').getByRole('heading').first().waitFor();
  await until(
    () => page.locator('main .loading').count(),
    (count) => count === 0,
  );
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

/** What reaches further right than the screen does; nothing when the page cannot be scrolled sideways. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.querySelectorAll('main, main *, header, nav')]
          .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => element.outerHTML.slice(0, 120))
          .slice(0, 5)`);

/** What the page says with words of its own; the interface for programs is described in English only. */
export const words = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('h1, h2, h3, label, legend, button, th, summary, nav a, [aria-label]')]
      .filter((element) => !element.closest('.operations'))
      .map((element) => (element.getAttribute('aria-label') ?? element.textContent).trim())`);
