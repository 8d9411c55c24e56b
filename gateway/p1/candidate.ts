/** What stands at a place of the stream that could be the start of a frame; undefined when it is none. */
export type Candidate<Whole> = undefined | Unfinished | Broken | ({ state: 'whole'; length: number } & Whole);

/** Certain once its header is recognised: until then silence makes it noise, afterwards a frame that was cut off. */
export type Unfinished = { state: 'unfinished'; isCertain: boolean };

type Broken = { state: 'broken'; length: number; reason: string };

export const possible: Unfinished = { state: 'unfinished', isCertain: false };
export const begun: Unfinished = { state: 'unfinished', isCertain: true };

export const broken = (length: number, reason: string): Broken => ({ state: 'broken', length, reason });

/** The check of a frame passed and what is in it makes no sense. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

const made = new Map<string, Unreadable>();

/** One for each reason: to note the stack would cost more than to read the frame. */
export function unreadable(reason: string): Unreadable {
  const error = made.get(reason) ?? new Unreadable(reason);
  made.set(reason, error);
  return error;
}
