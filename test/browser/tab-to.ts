import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

const mostTabs = 80;

// The focus ring of adjacent options is around their label.
const isFocusSeen = `[document.activeElement, document.activeElement.nextElementSibling]
  .some((element) => element && getComputedStyle(element).outlineStyle !== 'none')`;

/** Presses Tab until the element has the focus, and checks that it is visible. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < mostTabs; presses++) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) === 0) continue;
    assert.ok(await page.evaluate<boolean>(isFocusSeen), `the focus on ${target.toString()} is not visible`);
    return;
  }
  assert.fail(`${mostTabs} presses of Tab did not reach ${target.toString()}`);
}
