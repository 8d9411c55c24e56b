/**
 * The command that checks the types of a program: `.` or `web`. One checker, since several would learn much of the same; and
 * what it has found is kept, for whoever checks a copy of the repository in which little is different.
 */
export function typeCheck(program: '.' | 'web'): string[] {
  const found = `node_modules/.cache/types/${program === '.' ? 'all' : program}.json`;
  return ['tsc', '-p', program, '--checkers', '1', '--incremental', '--tsBuildInfoFile', found];
}
