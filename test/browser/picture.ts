import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../source-files.ts';

const folder = join(root, 'test-results');

/** Saved for people when `PICTURES` is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
