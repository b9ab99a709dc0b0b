// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import type { Schemas } from "@/api/client";
import { meQuery, type Me } from "@/api/me";
import { Learning } from "@/pages/settings/Learning";

const asked = vi.hoisted(() => {
  const seen: unknown[] = [];
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", async (request: Request) => {
    seen.push([request.method, new URL(request.url).pathname, await request.json()]);
    return Response.json({});
  });
  return seen;
});
afterAll(() => void vi.unstubAllGlobals());

test("memory and patterns of one's own runs have a switch each", async () => {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "ann", tenant_id: "t", role: "viewer" } as Me);
  const user = { user_id: "ann", learns_patterns: false, uses_memory: true } as Schemas["UserInfo"];
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <Learning user={user} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(screen.getByRole("switch", { name: "Use and learn patterns in my chats", checked: false })).toBeTruthy();
  fireEvent.click(screen.getByRole("switch", { name: "Use and learn memories in my chats", checked: true }));
  await waitFor(() => expect(asked).toEqual([["PATCH", "/api/v1/users/ann", { uses_memory: false }]]));
});
