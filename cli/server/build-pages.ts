import { execFile } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { minuteMs } from '#contract/time.ts';
import type { Logger } from '#lib/log.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const web = join(root, 'web');
const sources = ['web/**/*.{ts,tsx,css,html,svg,json}', 'contract/**/*.ts', 'package-lock.json'];
const maxBuildMs = 5 * minuteMs; // a build that hangs must not hold up a start any longer

/** Builds the pages if they are missing or `isOld` returns true. An installed package contains built pages, no sources. */
export async function buildPages(log: Pick<Logger, 'warn'>, isOld = (): boolean => false): Promise<void> {
  const isBuilt = existsSync(join(web, 'dist/index.html'));
  if (!existsSync(join(web, 'vite.config.ts')) || (isBuilt && !isOld())) return;
  try {
    await build();
  } catch (error) {
    log.warn({ err: error }, 'failed to build the pages; the API works without them');
  }
}

async function build(): Promise<void> {
  const buildFolder = join(root, `node_modules/.cache/pages.${process.pid}`); // own folder for each process, since several programs may start at once
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', web, '--outDir', buildFolder, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, args, { cwd: root, timeout: maxBuildMs });
  await rm(join(web, 'dist'), { recursive: true, force: true });
  await rename(buildFolder, join(web, 'dist'));
}

export function arePagesOld(): boolean {
  const builtMs = timeOf('web/dist/index.html');
  const files = globSync(sources, { cwd: root, exclude: ['web/dist/**', '**/*.test.ts'] });
  return files.some((file) => timeOf(file) > builtMs);
}

const timeOf = (file: string): number => statSync(join(root, file)).mtimeMs;
