import type { Locator, Page } from 'playwright-core';

// Finds elements as a screen reader does.
type Role = 'button' | 'heading' | 'link' | 'dialog' | 'region';

const of =
  (role: Role) =>
  (within: Page | Locator, name: string | RegExp): Locator =>
    within.getByRole(role, { name, exact: true });

export const button = of('button');
export const heading = of('heading');
export const link = of('link');
export const dialog = of('dialog');
/** The section below a second-level heading. */
export const card = of('region');

/** The cell in the row that begins with this, by the title of its column. */
export const cell = (within: Page | Locator, row: string | RegExp, column: string): Locator =>
  within.getByRole('row', { name: row }).locator(`td[data-title="${column}"]`);

const pageOf = (within: Page | Locator): Page => ('page' in within ? within.page() : within);

/** Selects one of several adjacent options by its label, which covers the input. */
export const choose = (within: Page | Locator, name: string): Promise<void> =>
  within
    .locator('label')
    .filter({ has: pageOf(within).getByRole('radio', { name, exact: true }) })
    .click();
