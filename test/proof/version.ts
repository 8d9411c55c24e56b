import { spawnSync } from 'node:child_process';

/** The commit of a folder, as short as it is told apart; undefined where there is no git. */
export function versionOf(folder: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
