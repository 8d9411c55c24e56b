import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** Whether a file is a test, shared by tests, or a measurement. */
export const isForTests = (path: string): boolean => /\.test\.tsx?$|(^|\/)testing\/|^(test|bench)\//.test(path);

/** Lists the TypeScript files of the repository by git, or all files in the folder without git. */
export function sourceFiles(): string[] {
  const patterns = ['*.ts', '*.tsx'];
  try {
    const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listing
      .split('\0')
      .filter((path) => path && existsSync(join(root, path)))
      .toSorted();
  } catch {
    return globSync(
      patterns.map((pattern) => `**/${pattern}`),
      { cwd: root, exclude: ['**/node_modules'] },
    ).toSorted();
  }
}
