import type { BrowserContextOptions, Page } from 'playwright-core';
import type { SimulatedState } from '../stack/up-process.ts';
import type { Visitor, Visits } from './visits.ts';

/** Chooses a key file on the sign-in page. */
export async function enterWithKeyFile(page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }) {
  await page.getByLabel(/^Key file|^Nyckelfil/).setInputFiles(file);
  await page.getByRole('button', { name: /^(Sign in with file|Logga in med fil)$/ }).click();
}

/** A person who signed in with the key file of the simulated home. */
export async function signedIn(
  visits: Visits,
  { cloud_url, private_key_file }: SimulatedState,
  options?: BrowserContextOptions,
): Promise<Visitor> {
  const visitor = await visits.visit(options);
  await visitor.page.goto(`${cloud_url}/app/sites`);
  await enterWithKeyFile(visitor.page, private_key_file);
  await visitor.page.getByRole('link', { name: 'Simulated home', exact: true }).waitFor();
  return visitor;
}
