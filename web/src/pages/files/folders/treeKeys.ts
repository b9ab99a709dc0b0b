/** Where a key leads in a tree whose shown items are listed by their levels. Pure. */
export function movedTo(key: string, at: number, levels: readonly number[]): number | undefined {
  const last = levels.length - 1;
  const level = levels[at] ?? 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, last);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "Home":
      return 0;
    case "End":
      return last;
    // An open folder: into it; a closed one was opened by this key and stays.
    case "ArrowRight":
      return (levels[at + 1] ?? 0) > level ? at + 1 : undefined;
    case "ArrowLeft": {
      const above = levels.slice(0, at).findLastIndex((each) => each < level);
      return above < 0 ? undefined : above;
    }
    default:
      return undefined;
  }
}
