import { spawnSync } from 'node:child_process';

const product = ['--', '.', ':(exclude)docs', ':(exclude)*.md'];

/**
 * The last commit of a folder that changed more than documents, which figures are written into. Undefined without git, or if a file
 * beside the documents differs from that commit.
 */
export function versionOf(folder: string): string | undefined {
  const changes = git(folder, 'status', '--porcelain', ...product);
  return changes === '' ? git(folder, 'log', '-1', '--format=%h', '--abbrev=8', ...product) || undefined : undefined;
}

function git(cwd: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
