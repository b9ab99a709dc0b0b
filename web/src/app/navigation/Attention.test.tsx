// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import { requestsKey } from "@/api/requests";
import { Attention } from "@/app/navigation/Attention";
import { usePreferences } from "@/app/state/preferences";
import { usePageTitle, useThingTitle } from "@/app/navigation/title";

const server = vi.hoisted(() => {
  const known = { requests: [] as object[], asked: [] as string[] };
  vi.stubGlobal("fetch", ({ url }: Request) => {
    const { pathname, search } = new URL(url);
    known.asked.push(pathname + search);
    const session = { title: `Title of ${pathname.split("/").at(-1)}` };
    return Promise.resolve(Response.json(pathname.endsWith("/requests") ? known : session));
  });
  return known;
});
afterAll(() => void vi.unstubAllGlobals());

const waits = (session: string) => ({ interrupt_id: `of ${session}`, session_id: session });

function Page({ thing }: { thing: string | null }) {
  usePageTitle("Files");
  useThingTitle(thing);
  return <p>{useLocation().pathname}</p>;
}

function shown(thing: string | null = null) {
  const queries = new QueryClient();
  const view = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={["/files"]}>
        <Attention />
        <Page thing={thing} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, again: () => act(() => queries.invalidateQueries({ queryKey: requestsKey })) };
}

test("the title of every page counts what waits for oneself", async () => {
  server.requests = [waits("one"), waits("two")];
  shown();
  await waitFor(() => expect(document.title).toBe("(2) Files · DataAgent"));
  expect(server.asked).toEqual(["/api/v1/requests?mine=true"]);
  cleanup();
  server.requests = [];
  shown("Sales of May");
  await waitFor(() => expect(document.title).toBe("Sales of May · DataAgent"));
});

test("a notification is called as the session that waits, and leads to it", async () => {
  const made: { body: string; onclick: () => void; close: () => void }[] = [];
  class Told {
    static permission = "granted";
    onclick = () => undefined;
    body: string;
    constructor(_title: string, { body }: { body: string }) {
      this.body = body;
      made.push(this);
    }
    close() {}
  }
  vi.stubGlobal("Notification", Told);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  usePreferences.setState({ notify: true });
  server.requests = [waits("old")];
  const { container, again } = shown();
  await waitFor(() => expect(document.title).toMatch(/^\(1\)/));
  server.requests = [waits("old"), waits("fresh")];
  await again();
  await waitFor(() => expect(made.map((each) => each.body)).toEqual(["Title of fresh"]));
  act(() => made[0]?.onclick());
  expect(container.textContent).toBe("/chat/fresh");
});
