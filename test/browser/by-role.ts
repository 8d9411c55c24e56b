import type { Locator, Page } from 'playwright-core';

// As somebody finds them who hears the page.
type Role = 'button' | 'heading' | 'link' | 'dialog' | 'region';

const of =
  (role: Role) =>
  (within: Page | Locator, name: string | RegExp): Locator =>
    within.getByRole(role, { name, exact: true });

export const button = of('button');
export const heading = of('heading');
export const link = of('link');
export const dialog = of('dialog');
/** What stands below a heading of the second order. */
export const card = of('region');

/** The cell of a table in the row that begins with this, by the title of its column. */
export const cell = (within: Page | Locator, row: string | RegExp, column: string): Locator =>
  within.getByRole('row', { name: row }).locator(`td[data-title="${column}"]`);

/** Takes one of a few choices that stand side by side; their labels cover the buttons they belong to. */
export const choose = (within: Page | Locator, name: string): Promise<void> =>
  within.getByRole('radio', { name, exact: true }).check({ force: true });
