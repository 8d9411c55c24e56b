import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { secretFile } from '#lib/secret.ts';
import type { CloudConfig } from '../config.ts';

type DataLocation = Pick<CloudConfig, 'DATA_DIR' | 'DATABASE_URL'>;

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

/** Marks the data folder of a platform that uses PostgreSQL, so that a start without DATABASE_URL is refused. */
export function markDataPlace({ DATA_DIR, DATABASE_URL }: DataLocation): void {
  if (DATABASE_URL) writeFileSync(markIn(DATA_DIR), '', { mode: 0o600 });
}

/** Returns whether the data folder holds data from before a move to PostgreSQL. */
export const isLeft = ({ DATA_DIR, DATABASE_URL }: DataLocation): boolean =>
  !DATABASE_URL && existsSync(markIn(DATA_DIR));

export function refuseLeftData(place: DataLocation): void {
  if (!isLeft(place)) return;
  const mark = markIn(place.DATA_DIR);
  const sentence =
    'This platform keeps its data in PostgreSQL; set DATABASE_URL as its service does. ' +
    `To go back to the data in the folder, delete ${mark}.`;
  throw new Problem('conflict', sentence);
}
