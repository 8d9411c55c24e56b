import { spawnSync } from 'node:child_process';

/** The abbreviated commit of a folder; undefined without git. */
export function versionOf(folder: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
