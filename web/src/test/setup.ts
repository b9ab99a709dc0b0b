import { afterAll, afterEach, vi } from "vitest";

afterEach(async () => {
  if (typeof document === "undefined") return;
  const { cleanup } = await import("@testing-library/react");
  cleanup();
  // What a test put into the page itself.
  document.body.replaceChildren();
});

// Files share their worker's packages, which take long to load, but none of our own modules, nothing of the page and nothing they replaced.
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetModules();
});
