import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { secretFile } from '#lib/secret.ts';
import type { CloudConfig } from '../config.ts';

type Place = Pick<CloudConfig, 'DATA_DIR' | 'DATABASE_URL'>;

/** Holds the secret of the broker callouts when INTERNAL_TOKEN is not set. */
export const internalTokenFile = (dataDir: string): string => join(dataDir, 'internal-token');

/** Replaces the secret in that file, if there is one; a running platform reads it at each callout. */
export function renewInternalToken(dataDir: string): void {
  const file = internalTokenFile(dataDir);
  if (!existsSync(file)) return;
  rmSync(file);
  secretFile(file);
}

const markIn = (dataDir: string): string => join(dataDir, 'data-is-in-postgresql');

/** Leaves word in the data folder of a platform that has started, for whoever comes to it without its DATABASE_URL. */
export function markDataPlace({ DATA_DIR, DATABASE_URL }: Place): void {
  if (DATABASE_URL) writeFileSync(markIn(DATA_DIR), '', { mode: 0o600 });
}

/** Whether what is in the data folder was left there by a move to PostgreSQL. */
export const isLeft = ({ DATA_DIR, DATABASE_URL }: Place): boolean => !DATABASE_URL && existsSync(markIn(DATA_DIR));

/** What was left is not taken for the data of the platform. */
export function refuseLeftData(place: Place): void {
  if (!isLeft(place)) return;
  const mark = markIn(place.DATA_DIR);
  const sentence =
    'This platform keeps its data in PostgreSQL; give DATABASE_URL as its service has it. ' +
    `Who wants to go back to what is in the folder deletes ${mark}.`;
  throw new Problem('conflict', sentence);
}
