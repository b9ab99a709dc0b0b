// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Suspense } from "react";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { meQuery } from "@/api/me";
import { FeedbackLine } from "@/pages/chat/transcript/feedback/FeedbackLine";
import { SettingContext } from "@/pages/chat/transcript/setting";
import type { Run } from "@/stream/conversation";

const sent = vi.hoisted(() => [] as unknown[]);
vi.hoisted(() =>
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "POST") return Response.json({ items: [{ user_id: "e11ce", name: "Mei" }], next: null });
    sent.push(await request.json());
    return Response.json({ run_id: "r", feedback: [] });
  }),
);
beforeEach(() => void sent.splice(0));
afterAll(() => void vi.unstubAllGlobals());

function show(feedback: Run["feedback"], canAnswer = true) {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "me", role: "member" } as never);
  const setting = { sessionId: "s", canAnswer, activeRunId: null, actions: {} };
  render(
    <QueryClientProvider client={queries}>
      <Suspense>
        <SettingContext.Provider value={setting}>
          <FeedbackLine run={{ runId: "r", feedback } as unknown as Run} />
        </SettingContext.Provider>
      </Suspense>
    </QueryClientProvider>,
  );
}

test("who rated a run is said by name, with the correction", async () => {
  show({ e11ce: { rating: "down", correction: "by region" } }, false);
  await screen.findByText(/Rated as not helpful · by Mei · by region/);
  expect(screen.queryByRole("button")).toBeNull();
});

test("who takes it back is not listed", () => {
  show({ e11ce: { rating: "", correction: "" } });
  expect(screen.queryByText(/by/)).toBeNull();
});

test("a thumb keeps one's correction, and the same thumb again takes it back", async () => {
  show({ me: { rating: "up", correction: "by region" } });
  expect(screen.getByRole("button", { name: "Helpful" }).getAttribute("aria-pressed")).toBe("true");
  fireEvent.click(screen.getByRole("button", { name: "Helpful" }));
  await waitFor(() => expect(sent).toEqual([{ rating: "", correction: "by region" }]));
});

test("a thumb down asks what should have been different", async () => {
  show({});
  fireEvent.click(screen.getByRole("button", { name: "Not helpful" }));
  fireEvent.change(await screen.findByRole("textbox"), { target: { value: " by region " } });
  fireEvent.click(screen.getByRole("button", { name: "Send it" }));
  await waitFor(() =>
    expect(sent).toEqual([
      { rating: "down", correction: "" },
      { rating: "down", correction: "by region" },
    ]),
  );
});
