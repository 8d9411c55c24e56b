import type { Proof } from './proof.ts';

type Loaded = Pick<Proof, 'load'>;

/** Runs all, several at once while their loads fit on the processors. The first that fits is next. */
export async function runBeside<Item extends Loaded>(
  items: readonly Item[],
  processors: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const running = new Map<Item, Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    const load = [...running.keys()].reduce((sum, item) => sum + loadOf(item), 0);
    const next = waiting.findIndex((item) => running.size === 0 || load + loadOf(item) <= processors);
    if (next < 0) {
      await Promise.race(running.values());
      continue;
    }
    for (const item of waiting.splice(next, 1)) {
      running.set(
        item,
        run(item).finally(() => running.delete(item)),
      );
    }
  }
}

const loadOf = ({ load }: Loaded): number => (load === 'alone' ? Number.POSITIVE_INFINITY : load);
