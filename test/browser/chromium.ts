import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

// The first has no window mode, and needs a sixth less processor time.
const programs = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const program = programs.find(existsSync);

export const chromiumMissing = program ? false : 'Chromium is not installed (Debian package chromium-headless-shell)';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--renderer-process-limit=1', // the tabs of a profile share what one of them has compiled
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost', // requests to other hosts are recorded and fail
];

export const launchChromium = (args: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: program!, args: [...quiet, ...args] });
