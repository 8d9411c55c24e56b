type List<Item> = AsyncGenerator<Item>;

/** The next piece of the list that is current; when another has taken its place meanwhile, of that one. */
export async function nextPiece<Item>(current: () => List<Item> | undefined, size: number): Promise<Item[]> {
  for (;;) {
    const list = current();
    if (!list) return [];
    try {
      const piece = await pieceOf(list, size);
      if (current() === list) return piece;
    } catch (error) {
      if (current() === list) throw error;
    }
  }
}

async function pieceOf<Item>(list: List<Item>, size: number): Promise<Item[]> {
  const piece: Item[] = [];
  while (piece.length < size) {
    const { done, value } = await list.next();
    if (done) break;
    piece.push(value);
  }
  return piece;
}
