// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { TablePage } from "@/pages/data/tables/TablePage";

const server = vi.hoisted(() => {
  const known = { asked: [] as Record<string, unknown>[], is_whole: false };
  const column = (name: string, kind: string) => ({ name, type: kind, kind, nullable: true });
  const seen = { nulls_fraction: 0.25, distinct: 12, mean: null, minimum: null, maximum: null, samples: [], top: [] };
  const rows = { result_id: "r_1", columns: [{ name: "city", kind: "text" }], rows: [["Oslo"]], row_count: 1 };
  const described = () => ({
    table: {
      name: "orders",
      schema: null,
      columns: [column("city", "text"), column("amount", "integer")],
      rows: 90_000,
      rows_exact: true,
      notes: [],
    },
    profile: [
      { ...seen, name: "city", is_whole: known.is_whole, top: [["Oslo", 700]] },
      { ...seen, name: "amount", is_whole: known.is_whole, mean: 4.5, minimum: "1", maximum: "9" },
    ],
  });
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/describe")) return Response.json(described());
    if (pathname.endsWith("/sources")) return Response.json({ items: [] });
    if (pathname.endsWith("/query")) {
      known.asked.push((await request.json()) as Record<string, unknown>);
      return Response.json(rows);
    }
    // A chart is not drawn here: it stays on its way.
    return new Promise<Response>(() => undefined);
  });
  return known;
});
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => void (server.asked.length = 0));

function show(tab: string) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role: "member" } as Me);
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[`/data/table?source=shop&table=orders&tab=${tab}`]}>
        <TablePage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test.each([
  ["preview", /LIMIT/],
  ["chart", /GROUP BY/],
])("what the page asks for itself on the tab %s is a look, which no list of results shows", async (tab, sql) => {
  show(tab);
  await waitFor(() => expect(server.asked).toHaveLength(1));
  expect(server.asked[0]).toMatchObject({ source: "shop", look: true });
  expect(server.asked[0]?.["sql"]).toMatch(sql);
});

const figures = () => screen.getAllByRole("definition").map((each) => each.textContent);

test("every figure of a profile that saw a sample says so", async () => {
  server.is_whole = false;
  show("profile");
  await screen.findByText(/^Seen on a sample/);
  expect(figures()).toEqual(["~25%", "~12", "~25%", "~12", "~4.5", "≤ 1 … ≥ 9"]);
  expect(screen.getByText("Oslo").parentElement?.textContent).toBe("Oslo≥ 700");
});

test("figures of all rows stand without it, but for the number of different values", async () => {
  server.is_whole = true;
  show("profile");
  await screen.findByText(/^Of all rows/);
  expect(figures()).toEqual(["25%", "~12", "25%", "~12", "4.5", "1 … 9"]);
});
