// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";
import type { Workflow } from "@/pages/learned/patterns/workflow/queries";
import { RunForm } from "@/pages/learned/patterns/workflow/RunForm";

const sent = vi.hoisted(() => [] as unknown[]);
vi.hoisted(() =>
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json({ session_id: "s", run_id: "r", message_id: "m" });
  }),
);
afterAll(() => void vi.unstubAllGlobals());

test("a long number is sent with all its digits", async () => {
  const inputs = [{ name: "order", type: "integer", example: "", is_private: false }];
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <RunForm patternId="p" workflow={{ inputs } as unknown as Workflow} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByLabelText("order"), { target: { value: "9007199254740993" } });
  fireEvent.click(document.querySelector("[type=submit]")!);
  await waitFor(() => expect(sent).toMatchObject([{ inputs: { order: "9007199254740993" } }]));
});
