// How much a test tries. `npm test` tries a part of the generated cases, every kind of them among them; a run with --long or --only,
// and a file that is run by itself, tries all.
const isShort = process.env.TEST_AMOUNT === 'short';

/** A number of generated cases or rounds, or a quarter of it. */
export const amount = (full: number): number => (isShort ? Math.ceil(full / 4) : full);

// Prime, so that it takes every value of every dimension from combinations in nested order.
const stride = 5;

/** All cases, or every fifth. */
export const someOf = <Case>(cases: Iterable<Case>): Case[] =>
  [...cases].filter((_, index) => !isShort || index % stride === 0);
