import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sharedChromium } from './shared.ts';

export const desktop = { width: 1280, height: 860 };
export const phone = { width: 390, height: 844 };

export type Tab = AsyncDisposable & { page: Page };

/** A browser profile of its own, until it is disposed of. */
export type Visitor = Tab & { context: BrowserContext; tab(): Promise<Tab> };

export type Visits = { visit(options?: BrowserContextOptions): Promise<Visitor> };

const patienceMs = 60_000; // other processes need the processor too

/** Profiles for a test file. At the end none may have had an error or called another host. */
export async function openVisits(t: TestContext): Promise<Visits> {
  const browser = await sharedChromium();
  const contexts: BrowserContext[] = [];
  const mistakes = new Set<string>();
  const outside = new Set<string>();
  t.after(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    assert.deepEqual({ mistakes: [...mistakes], outside: [...outside] }, { mistakes: [], outside: [] });
  });
  return {
    async visit(options = {}) {
      const context = await browser.newContext({
        viewport: desktop,
        locale: 'en-GB',
        timezoneId: 'Europe/Stockholm',
        reducedMotion: 'reduce', // animations take processor time from the test
        serviceWorkers: 'block', // its requests could not be intercepted
        ...options,
      });
      contexts.push(context);
      context.setDefaultTimeout(patienceMs);
      watch(context, { mistakes, outside });
      const page = await context.newPage();
      return { page, context, tab: () => openTab(context), [Symbol.asyncDispose]: () => context.close() };
    },
  };
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  return { page, [Symbol.asyncDispose]: () => page.close() };
}

/** Errors that must not happen. */
export type Noticed = Record<'mistakes' | 'outside', Set<string>>;

const ownHosts = ['localhost', '127.0.0.1'];

/** Records page errors, policy violations, blocking dialogs, and requests to any other host. */
export function watch(context: BrowserContext, { mistakes, outside }: Noticed): void {
  context.on('weberror', (failure) => mistakes.add(String(failure.error())));
  context.on('console', (message) => {
    // The page itself reports a refused request; anything else in the console is a policy violation, or worse.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      mistakes.add(message.text());
    }
  });
  context.on('dialog', (dialog) => {
    mistakes.add(`a ${dialog.type()} that says ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !ownHosts.includes(hostname)) outside.add(request.url());
  });
}
