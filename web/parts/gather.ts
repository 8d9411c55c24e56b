export async function gather<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
