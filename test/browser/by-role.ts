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

/** Selects one of several adjacent options. Their labels cover the inputs, and the menu of a phone whatever is at the lower edge. */
export async function choose(within: Page | Locator, name: string): Promise<void> {
  const option = within.getByRole('radio', { name, exact: true });
  await option.evaluate("input => input.scrollIntoView({ block: 'center' })");
  await option.check({ force: true });
}
