// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { useCommands } from "@/app/palette/commands";
import { GlobalKeys } from "@/app/palette/GlobalKeys";
import type { HumanRequest } from "@/pages/chat/requests/answer/answers";
import { RequestCard } from "@/pages/chat/requests/RequestCard";

vi.hoisted(() => vi.stubGlobal("fetch", () => Promise.resolve(Response.json({}))));
afterAll(() => void vi.unstubAllGlobals());

// happy-dom lays nothing out.
HTMLElement.prototype.checkVisibility ??= () => true;
window.matchMedia = (query) => ({ matches: query === "(hover: hover)" }) as MediaQueryList;

const stop = vi.fn();
beforeEach(() => stop.mockClear());

function asked(id: string): HumanRequest {
  const action = { name: "shell", args: { command: "ls" }, saves: [] };
  return {
    kind: "approval",
    interrupt_id: id,
    action_requests: [action],
    options: [],
    required: true,
  } as unknown as HumanRequest;
}

function Page({ open }: { open: readonly string[] }) {
  useCommands([{ id: "chat.stop", title: "Stop", group: "Chat", keys: "escape", run: stop }]);
  return (
    <>
      {open.map((id) => (
        <RequestCard
          key={id}
          request={asked(id)}
          sessionId="s"
          deadline={null}
          canAnswer
          mine
          forGood
          place={null}
        />
      ))}
      <div className="chat-composer">
        <textarea aria-label="Your message" />
      </div>
    </>
  );
}

function page(open: readonly string[]) {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role: "member" } as Me);
  const tree = (now: readonly string[]) => (
    <QueryClientProvider client={queries}>
      <MemoryRouter>
        <GlobalKeys toggleSidebar={() => undefined} />
        <Page open={now} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const { rerender } = render(tree(open));
  return { nowOpen: (now: readonly string[]) => rerender(tree(now)) };
}

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const button = (name: string) => screen.getByRole("button", { name });

test.each(["Edit", "Not this, because…"])(
  "Esc in the form of %s closes the form, and the run goes on",
  async (name) => {
    page(["i1"]);
    fireEvent.click(button(name));
    expect(document.activeElement?.tagName).toBe("TEXTAREA");
    press("Escape");
    expect(stop).not.toHaveBeenCalled();
    await waitFor(() => expect(document.activeElement).toBe(button(name)));
  },
);

test("a form that is open keeps Esc also while the focus is on its buttons or nowhere", () => {
  page(["i1"]);
  fireEvent.click(button("Edit"));
  (document.activeElement as HTMLElement).blur();
  press("Escape");
  fireEvent.click(button("Edit"));
  button("Run it like this").focus();
  press("Escape");
  expect(button("Edit")).toBeTruthy();
  expect(stop).not.toHaveBeenCalled();
});

test("after an answer the focus goes to the next request, then to the composer", async () => {
  const { nowOpen } = page(["i1", "i2"]);
  const first = screen.getAllByRole("button", { name: "Approve once" })[0] as HTMLElement;
  first.focus();
  fireEvent.click(first);
  nowOpen(["i2"]);
  const second = screen.getByRole("region", { name: "The agent asks" });
  await waitFor(() => expect(document.activeElement).toBe(second));
  button("Approve once").focus();
  fireEvent.click(button("Approve once"));
  nowOpen([]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Your message")));
});

test("an answer given elsewhere leaves the focus where somebody works", () => {
  const { nowOpen } = page(["i1"]);
  const elsewhere = document.createElement("input");
  document.body.append(elsewhere);
  elsewhere.focus();
  nowOpen([]);
  expect(document.activeElement).toBe(elsewhere);
});
