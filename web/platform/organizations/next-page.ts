type List<Item> = AsyncGenerator<Item>;

/** Returns the next page of the current list; starts over if the list is replaced meanwhile. */
export async function nextPage<Item>(current: () => List<Item> | undefined, size: number): Promise<Item[]> {
  for (;;) {
    const list = current();
    if (!list) return [];
    try {
      const piece = await takePage(list, size);
      if (current() === list) return piece;
    } catch (error) {
      if (current() === list) throw error;
    }
  }
}

async function takePage<Item>(list: List<Item>, size: number): Promise<Item[]> {
  const piece: Item[] = [];
  while (piece.length < size) {
    const { done, value } = await list.next();
    if (done) break;
    piece.push(value);
  }
  return piece;
}
