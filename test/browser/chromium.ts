import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { root } from '../source-files.ts';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

export const chromiumMissing = program ? false : 'Chromium is not installed (Debian package chromium)';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launchChromium = (args: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: program!, args: [...quiet, ...args] });

/** A visitor: a browser profile of its own, and what went wrong in it. */
export type Visitor = { page: Page; context: BrowserContext; mistakes: string[]; outside: string[] };

const desktop = { width: 1280, height: 860 };
export const phone = { width: 390, height: 844 };

/** A fresh profile that notes errors of the pages, breaches of their policy, and requests to any other host. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: desktop,
    locale: 'en-GB',
    timezoneId: 'Europe/Stockholm',
    ...options,
  });
  const page = await context.newPage();
  const mistakes: string[] = [];
  const outside: string[] = [];
  page.on('pageerror', (error) => mistakes.push(String(error)));
  page.on('console', (message) => {
    // A refused request is told by the page itself; what stays in the console is a policy that was broken, or worse.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      mistakes.push(message.text());
  });
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !['localhost', '127.0.0.1'].includes(hostname)) outside.push(request.url());
  });
  page.setDefaultTimeout(15_000);
  return { page, context, mistakes, outside };
}

const pictures = join(root, 'test-results');

/** Kept beside the run, for eyes. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = { id: string; impact: string; help: string; nodes: { target: string[]; failureSummary?: string }[] };

/** What axe finds that keeps people out, one line each. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } };
    return (await axe.run()).violations;
  });
  return (violations as Finding[])
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`);
}

/** One Chromium for a file of tests. */
export async function openChromium(t: Pick<TestContext, 'after'>): Promise<Browser> {
  const browser = await launchChromium();
  t.after(() => browser.close());
  return browser;
}
