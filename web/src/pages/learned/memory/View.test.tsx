// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import View from "@/pages/learned/memory/View";

const PROBLEM = vi.hoisted(() => {
  const problem = "No text here has a vector of x yet: words alone were compared.";
  const memory = {
    id: "m1",
    content: "I live in Basel.",
    type: "fact",
    scope: { kind: "user", assistant_id: "default", project_id: null },
    source: { kind: "manual", session_id: null, seq_first: 0, speaker: "", tool: "", quote: "" },
    is_tainted: false,
    recorded_at: "2026-11-01T00:00:00Z",
    valid_from: "2026-11-01T00:00:00Z",
    valid_to: null,
    retired_at: null,
    expires_at: null,
    access_count: 0,
    version: 1,
  };
  const found = { results: [], took_ms: 1, embedder: "", fusion: "score", problem };
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith("/memories")) return Response.json({ items: [memory], next: null });
    if (pathname.endsWith("/memories/m1")) return Response.json({ memory, history: [], is_source_gone: false });
    if (pathname.endsWith("/search")) return Response.json(found);
    return new Promise<Response>(() => undefined);
  });
  return problem;
});
afterAll(() => void vi.unstubAllGlobals());

function show(address: string) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role: "viewer" } as Me);
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/memory/*" element={<View />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test.each(["/memory/all", "/memory/one/m1"])("a viewer forgets and corrects a memory of their own at %s", async (address) => {
  show(address);
  expect(await screen.findByRole("button", { name: "Forget: I live in Basel." })).toBeTruthy();
  expect(screen.getByRole("button", { name: "This is wrong: I live in Basel." })).toBeTruthy();
});

test("a search without one of its legs says so, also where it finds nothing, and leads on", async () => {
  show("/memory/search?q=home");
  expect(await screen.findByText(PROBLEM)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Show all" }).getAttribute("href")).toBe("/memory/all?past=1");
});
