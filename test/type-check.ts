/**
 * The command that checks the types of a program: `.` or `web`. One checker, since several would learn much of the same; and
 * what it has found is kept, for whoever checks a copy of the repository in which little is different.
 */
export const typeCheck = (program: '.' | 'web'): string[] => [
  'tsc',
  ...['-p', program],
  ...['--checkers', '1'],
  ...['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${program === '.' ? 'all' : program}.json`],
];
