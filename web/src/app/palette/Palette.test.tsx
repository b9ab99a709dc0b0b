// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { useCommandRegistry } from "@/app/palette/commands";
import Palette from "@/app/palette/Palette";

const ANSWERS: Record<string, object> = {
  "/api/v1/sessions": { items: [{ session_id: "s1", title: "Violet harbour" }], next: null },
  "/api/v1/data/search": { items: [{ kind: "table", source: "shop", name: "violets", line: "" }], more: 0, notes: [] },
  "/api/v1/workspaces/default": { workspace_id: "w" },
  "/api/v1/workspaces/w/files": {
    items: [{ path: "/uploads/violet.csv", encoded_path: "/uploads/violet.csv", kind: "file" }],
    next: null,
  },
};
vi.hoisted(() =>
  vi.stubGlobal("fetch", (asked: string | Request) => {
    const { pathname } = new URL(typeof asked === "string" ? asked : asked.url, "http://localhost");
    return Promise.resolve(Response.json(ANSWERS[pathname] ?? { items: [], next: null }));
  }),
);
afterAll(() => void vi.unstubAllGlobals());

const Place = () => {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
};

test.each([
  [/Violet harbour/, "/chat/s1"],
  [/shop · violets/, "/data/table?source=shop&table=violets"],
  [/violet\.csv/, "/files?file=%2Fuploads%2Fviolet.csv"],
])("search finds %s and leads there", async (name, place) => {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role: "member" } as Me);
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <Palette />
        <Place />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  useCommandRegistry.getState().show("palette");
  fireEvent.change(await screen.findByRole("combobox"), { target: { value: "violet" } });
  fireEvent.click(await screen.findByRole("option", { name }));
  expect(screen.getByRole("status").textContent).toBe(place);
});
