import { Problem } from '#contract/problem.ts';
import { didYouMean, nearest } from '../line/nearest.ts';

type Named = { id: string; name: string };

type Choice = {
  /** what one of them is called, for example site */
  what: string;
  /** what makes the first one */
  maker: string;
};

/** The item of this id or name; the only one there is when none is given. */
export function choose<Item extends Named>(items: readonly Item[], given: string | undefined, choice: Choice): Item {
  const { what, maker } = choice;
  const byId = items.find(({ id }) => id === given);
  if (byId) return byId;
  const fitting = given === undefined ? items : items.filter(({ name }) => name === given);
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) {
    const why = given === undefined ? `There are several ${what}s` : `Several ${what}s are called "${given}"`;
    const lines = fitting.map(({ id, name }) => `  ${id}  ${name}`);
    throw new Problem('conflict', [`${why}; say which one, by its id:`, ...lines].join('\n'));
  }
  if (given === undefined) throw new Problem('not_found', `There is no ${what} yet; make one with: ohmstead ${maker}`);
  const near = nearest(
    given,
    items.map(({ name }) => name),
  );
  throw new Problem('not_found', `There is no ${what} "${given}"${didYouMean(near && `"${near}"`)}`);
}
