import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from '#cloud/operator/data-place.ts';
import { checkDatabase } from '#cloud/store/backup.ts';
import { sqliteFile } from '#cloud/store/store.ts';
import { Problem } from '#contract/problem.ts';
import { failureWords } from './failure-words.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

const patienceMs = 2500;
const mega = 2 ** 20;
const mostReadBytes = 50 * mega; // a slow card reads this in two seconds, in which nothing else is done

const found = findingsAbout('database');

export async function checkDatabases({ cloud }: Scene): Promise<Finding[]> {
  const { DATA_DIR, DATABASE_URL } = cloud;
  if (isLeft(cloud)) {
    return [found.problem('The platform keeps its data in PostgreSQL.', 'Give DATABASE_URL as its service has it.')];
  }
  if (DATABASE_URL) return [await checkPostgres(DATABASE_URL)];
  if (!existsSync(sqliteFile(DATA_DIR))) {
    return [found.ok(`There is no database in ${DATA_DIR} yet; it is made at the first start.`)];
  }
  const files = readdirSync(DATA_DIR).filter((name) => name.endsWith('.db'));
  return files.map((name) => checkFile(join(DATA_DIR, name)));
}

function checkFile(file: string): Finding {
  const { size } = statSync(file);
  const shown = `${file} (${Math.ceil(size / mega)} MB)`;
  if (size > mostReadBytes) return found.ok(`${shown} is too large to be read through here; ohmstead backup does.`);
  try {
    checkDatabase(file);
    return found.ok(`${shown} was read through and is whole.`);
  } catch (error) {
    const isDamaged = error instanceof Problem;
    const next = isDamaged
      ? 'Stop the platform, move the data folder away, and put a backup back with ohmstead restore.'
      : 'Look at who owns the file, and run as that user.';
    return found.problem(isDamaged ? error.message : `${shown} cannot be read: ${(error as Error).message}.`, next);
  }
}

async function checkPostgres(url: string): Promise<Finding> {
  const { host, pathname } = new URL(url);
  const shown = `PostgreSQL at ${host}${pathname}`;
  const { serverVersion } = await import('#cloud/store/pool.ts'); // its driver, where it is used
  try {
    return found.ok(`${shown} answers, version ${await serverVersion(url, patienceMs)}.`);
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    const isRefusal = /^(28|3D|53|57)/.test(code); // classes of PostgreSQL: sign-in, name, resources, shutdown
    const why = isRefusal ? message : failureWords(error);
    return found.problem(`${shown} cannot be used: ${why}.`, 'Look whether it runs, or correct DATABASE_URL.');
  }
}
