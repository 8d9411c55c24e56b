import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from '#cloud/operator/data-place.ts';
import { checkDatabase } from '#cloud/store/backup.ts';
import { shownUrl } from '#cloud/store/host-urls.ts';
import { sqliteFile } from '#cloud/store/store.ts';
import { Problem } from '#contract/problem.ts';
import { errorCode } from '#lib/error-code.ts';
import { messageOf } from '../line/errors.ts';
import type { DoctorContext } from './context.ts';
import { failureReason, type Outcome, type Outcomes, ok, problem } from './finding.ts';

const timeoutMs = 2500;
const megabyte = 2 ** 20;
const maxCheckedBytes = 50 * megabyte; // a slow card reads this in two seconds, during which nothing else runs

export async function checkDatabases({ cloud }: DoctorContext): Promise<Outcomes> {
  const { DATA_DIR, DATABASE_URL } = cloud;
  if (isLeft(cloud))
    return problem('The platform keeps its data in PostgreSQL.', 'Set DATABASE_URL to the value its service uses.');
  if (DATABASE_URL) return checkPostgres(DATABASE_URL);
  if (!existsSync(sqliteFile(DATA_DIR)))
    return ok(`There is no database in ${DATA_DIR} yet; the first start creates it.`);
  const files = readdirSync(DATA_DIR).filter((name) => name.endsWith('.db'));
  return files.map((name) => checkFile(join(DATA_DIR, name)));
}

function checkFile(file: string): Outcome {
  const { size } = statSync(file);
  const shown = `${file} (${Math.ceil(size / megabyte)} MB)`;
  if (size > maxCheckedBytes) return ok(`${shown} is too large to check here; ohmstead backup checks it.`);
  try {
    checkDatabase(file);
    return ok(`${shown} is intact.`);
  } catch (error) {
    const isDamaged = error instanceof Problem;
    const next = isDamaged
      ? 'Stop the platform, move the data folder away, and restore a backup with ohmstead restore.'
      : 'Run as the owner of the file.';
    return problem(isDamaged ? error.message : `Cannot read ${shown}: ${messageOf(error)}.`, next);
  }
}

async function checkPostgres(url: string): Promise<Outcome> {
  const shown = `PostgreSQL at ${shownUrl(url)}`;
  const { serverVersion } = await import('#cloud/store/pool.ts'); // loads the driver only if needed
  try {
    return ok(`${shown} answers, version ${await serverVersion(url, timeoutMs)}.`);
  } catch (error) {
    // PostgreSQL error classes: sign-in, name, resources, shutdown
    const why = /^(28|3D|53|57)/.test(String(errorCode(error))) ? messageOf(error) : failureReason(error);
    return problem(`Cannot use ${shown}: ${why}.`, 'Check that it is running, or correct DATABASE_URL.');
  }
}
