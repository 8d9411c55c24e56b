import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { startUp, type Up } from '../stack/up-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { launchChromium } from './chromium.ts';

// Shared by the test files of a process: starting it takes longer than most of their tests.

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
});
const untilAllAreOver = { after: (end: () => unknown): void => void ends.push(end) };

let browser: Promise<Browser> | undefined;

export function sharedChromium(): Promise<Browser> {
  browser ??= launchChromium().then((launched) => {
    untilAllAreOver.after(() => launched.close());
    return launched;
  });
  return browser;
}

let home: Promise<Up> | undefined;

/** The simulated home without a street. Test files leave only things that others do not mind: people, sites, settings. */
export function sharedHome(): Promise<Up> {
  home ??= startUp(untilAllAreOver, temporaryFolder(untilAllAreOver), ['--houses', '0', '--without-history']);
  return home;
}
