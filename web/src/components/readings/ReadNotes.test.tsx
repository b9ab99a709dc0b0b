// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { ReadNotes } from "@/components/readings/ReadNotes";

const NOTE = "a.csv: column day can be read in two ways: … (or the source's option --dates mdy)";
const AUTO = { dates: "auto", decimals: "auto", encoding: "auto" };
const sent: string[] = [];
/** Which answer the server gives about the kept result. */
const kept = { source: "/uploads/a.csv" };

const answer = (method: string, path: string): unknown => {
  if (path.startsWith("/api/v1/data/results/")) return kept;
  if (path.startsWith("/api/v1/data/sources") && method === "GET") {
    return { items: [{ name: "shop", project_id: "p", reading: AUTO }] };
  }
  return { reading: AUTO };
};

const fetched = vi.hoisted(() => {
  const held: { run: (request: Request) => Promise<Response> } = { run: () => Promise.reject(new Error("none")) };
  vi.stubGlobal("fetch", (request: Request) => held.run(request));
  return held;
});
afterAll(() => void vi.unstubAllGlobals());

beforeEach(() => {
  sent.length = 0;
  kept.source = "/uploads/a.csv";
  fetched.run = async (request) => {
    const { pathname, search } = new URL(request.url);
    if (request.method !== "GET") sent.push(`${request.method} ${pathname}${search} ${await request.text()}`);
    return Response.json(answer(request.method, pathname));
  };
});

function show(of: { source: string } | { resultId: string }, role = "member", onChosen?: () => void) {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role } as Me);
  render(
    <QueryClientProvider client={queries}>
      <ReadNotes notes={[NOTE, "2 lines are left out"]} of={of} onChosen={onChosen} />
    </QueryClientProvider>,
  );
}

const click = async () => fireEvent.click(await screen.findByRole("button", { name: "Read as month/day/year" }));

test("one click has a file of one's own read the other way, from the result that says so", async () => {
  show({ resultId: "r_1" });
  await click();
  await waitFor(() =>
    expect(sent).toEqual(['PATCH /api/v1/data/files/reading?path=%2Fuploads%2Fa.csv {"dates":"mdy"}']),
  );
  expect((await screen.findByRole("status")).textContent).toContain("Chosen");
});

test("a named source is changed where it is, and asked again", async () => {
  const again = vi.fn();
  show({ source: "shop" }, "admin", again);
  await click();
  await waitFor(() => expect(again).toHaveBeenCalledOnce());
  expect(sent).toEqual(['PATCH /api/v1/data/sources/shop?project_id=p {"reading":{"dates":"mdy"}}']);
});

test("what was made of earlier results is not a source to choose for", async () => {
  kept.source = "results";
  show({ resultId: "r_1" });
  await click();
  expect(await screen.findByText(/made of earlier results/)).toBeTruthy();
  expect(sent).toEqual([]);
});

test("a viewer is told, and offered nothing", () => {
  show({ source: "/uploads/a.csv" }, "viewer");
  expect(screen.getByText(NOTE)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
