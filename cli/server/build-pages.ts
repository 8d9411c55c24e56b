import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '#lib/log.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const web = join(root, 'web');
const sources = ['web/**/*.{ts,tsx,css,html,svg,json}', 'contract/**/*.ts', 'package-lock.json'];

/**
 * Builds the pages when they are missing; of older pages `isOld` is asked, which takes a look at every file they are made
 * of. An installed package has them built, and no sources.
 */
export async function buildPages(log: Pick<Logger, 'warn'>, isOld = (): boolean => false): Promise<void> {
  const isBuilt = existsSync(join(web, 'dist/index.html'));
  if (!existsSync(join(web, 'vite.config.ts')) || (isBuilt && !isOld())) return;
  try {
    await build();
  } catch (error) {
    log.warn({ err: error }, 'the pages could not be built; everything else works'); // the API needs no pages
  }
}

async function build(): Promise<void> {
  const made = join(root, `node_modules/.cache/pages.${process.pid}`); // its own, as several programs may be started at once
  const vite = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', web, '--outDir', made, '--logLevel', 'warn'],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  vite.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(vite, 'close');
  if (code !== 0) throw new Error(said);
  await rm(join(web, 'dist'), { recursive: true, force: true });
  await rename(made, join(web, 'dist'));
}

/** Whether something that the pages are made of is newer than they are. */
export function arePagesOld(): boolean {
  const builtMs = timeOf('web/dist/index.html');
  const files = globSync(sources, { cwd: root, exclude: ['web/dist/**', '**/*.test.ts'] });
  return files.some((file) => timeOf(file) > builtMs);
}

const timeOf = (file: string): number => statSync(join(root, file)).mtimeMs;
