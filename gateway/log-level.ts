import { streamLevels } from '#contract/gateway/system.ts';

const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof levels)[number];

/** How much is told at a level. */
export const rankOf = (level: Level): number => levels.indexOf(level);

/** The level of a line of `lib/log.ts`. */
export const levelOf = (line: string): Exclude<Level, 'silent'> =>
  (/"level":"(\w+)"/.exec(line)?.[1] as Exclude<Level, 'silent'> | undefined) ?? 'trace';

/** Which lines have to be written for a stream that asks for this number. */
export const levelFor = (number: number): Level =>
  levels.findLast((level) => level !== 'silent' && streamLevels[level] <= number) ?? 'silent';
