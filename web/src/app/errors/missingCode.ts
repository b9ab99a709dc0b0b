/**
 * Pages are loaded when they are first opened. A new build of the server has other files, so a tab
 * that is open for long may ask for one that is no more; or nobody answers at all.
 */
const failures = new WeakSet<object>();

export function watchForMissingCode(target: EventTarget = window): () => void {
  const failed = (event: Event) => {
    const { payload } = event as Event & { payload?: unknown };
    if (payload instanceof Error) failures.add(payload);
  };
  // Vite says so for every import it made lazy, before the import itself fails.
  target.addEventListener("vite:preloadError", failed);
  return () => target.removeEventListener("vite:preloadError", failed);
}

/** Says that code could not be loaded; anything else that is thrown is a page that broke. */
export const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  (failures.has(error) || /dynamically imported module|Importing a module script/.test(error.message));
