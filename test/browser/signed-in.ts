import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { SimulatedState } from '../stack/up-process.ts';
import { type Visitor, visit } from './chromium.ts';

/** Somebody who came in with the key file of the simulated home. */
export async function signedIn(
  browser: Browser,
  { cloud_url, private_key_file }: SimulatedState,
  options?: BrowserContextOptions,
): Promise<Visitor> {
  const visitor = await visit(browser, options);
  const { page } = visitor;
  await page.goto(`${cloud_url}/app/sites`);
  await page.setInputFiles('input[type=file]', private_key_file);
  await page.getByRole('button', { name: /Sign in with it|Logga in med den/ }).click();
  await page.getByRole('link', { name: 'Simulated home' }).waitFor();
  return visitor;
}
