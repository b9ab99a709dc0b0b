/** Lists come in pages with a `next`; a short list is wanted whole. */
interface Page<T> {
  items: T[];
  next?: string | null;
}

const PAGES_MAX = 20;

export async function everyPage<T>(
  load: (after: string | undefined) => Promise<Page<T>>,
): Promise<T[]> {
  const items: T[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const loaded = await load(after);
    items.push(...loaded.items);
    if (!loaded.next) break;
    after = loaded.next;
  }
  return items;
}
