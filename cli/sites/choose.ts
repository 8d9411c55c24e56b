import { Problem } from '#contract/problem.ts';
import { didYouMean, nearest } from '../line/nearest.ts';

type Named = { id: string; name: string };

type Choice<Item> = {
  /** what one of them is called, for example site */
  what: string;
  /** what makes the first one */
  maker: string;
  /** whether it may be taken without being named */
  isDefault?(item: Item): boolean;
};

const lineOf = ({ id, name }: Named): string => `  ${id}  ${name}`;

/** The item of this id or name; the only one there is when none is given. */
export function choose<Item extends Named>(
  items: readonly Item[],
  given: string | undefined,
  choice: Choice<Item>,
): Item {
  const { what, maker, isDefault = () => true } = choice;
  const byId = items.find(({ id }) => id === given);
  if (byId) return byId;
  const fitting = given === undefined ? items.filter(isDefault) : items.filter(({ name }) => name === given);
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) {
    const why = given === undefined ? `There are several ${what}s` : `Several ${what}s are called "${given}"`;
    throw new Problem('conflict', [`${why}; say which one, by its id:`, ...fitting.map(lineOf)].join('\n'));
  }
  if (given === undefined && items.length > 0) {
    const why = `You were added to an organization without an invitation, so no ${what} of it is preselected`;
    throw new Problem('conflict', [`${why}; say which one, by its id:`, ...items.map(lineOf)].join('\n'));
  }
  if (given === undefined) throw new Problem('not_found', `There is no ${what} yet; make one with: ohmstead ${maker}`);
  const near = nearest(
    given,
    items.map(({ name }) => name),
  );
  throw new Problem('not_found', `There is no ${what} "${given}"${didYouMean(near && `"${near}"`)}`);
}
