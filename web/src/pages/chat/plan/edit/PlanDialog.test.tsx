// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { App } from "antd";
import { beforeEach, expect, test, vi } from "vitest";
import { PlanDialog } from "@/pages/chat/plan/edit/PlanDialog";
import type { Plan } from "@/stream/conversation";
import { stepOf } from "@/stream/plans";

interface Sent {
  version: number;
  edits: object[];
}
const { sent, answers } = vi.hoisted(() => {
  const patched: Sent[] = [];
  const waiting: Response[] = [];
  // Before the client is made, which keeps the `fetch` it finds.
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "PATCH") return Response.json({ items: [] });
    patched.push((await request.json()) as Sent);
    return waiting.shift() ?? Response.json({});
  });
  return { sent: patched, answers: waiting };
});

const rawSteps = (second: string) => [
  { step_number: 1, description: "Look", status: "completed" },
  { step_number: 2, description: second, status: "pending" },
];
const planOf = (version: number, second: string): Plan => ({
  runId: "r",
  version,
  status: "in_progress",
  stage: null,
  round: 0,
  reason: "",
  changes: [],
  steps: rawSteps(second).map((raw, at) => stepOf(raw, at + 1)),
  facts: {},
});

const dialog = (plan: Plan, onClose = () => undefined, running = true) => (
  <App>
    <QueryClientProvider client={new QueryClient()}>
      <PlanDialog sessionId="s" plan={plan} running={running} onClose={onClose} />
    </QueryClientProvider>
  </App>
);
const second = () => screen.getByLabelText<HTMLTextAreaElement>("What step 2 does");

beforeEach(() => {
  localStorage.clear();
  sent.length = 0;
  answers.length = 0;
});

test("a plan that was changed meanwhile is shown beside what was typed, which can be applied again", async () => {
  const theirs = { version: 2, status: "in_progress", steps: rawSteps("Write to the board") };
  answers.push(
    Response.json({ error_code: "CONFLICT", message: "the plan was changed", details: { plan: theirs } }, { status: 409 }),
  );
  const closed = vi.fn<() => undefined>();
  render(dialog(planOf(1, "Write"), closed));
  fireEvent.change(second(), { target: { value: "Write it short" } });
  fireEvent.click(screen.getByRole("button", { name: "Apply" }));
  fireEvent.click(await screen.findByRole("button", { name: "Apply to version 2" }));
  expect(screen.getByText(/It says now: Write to the board/)).toBeTruthy();
  expect(second().value).toBe("Write it short");
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  const edits = [{ op: "edit", step_number: 2, description: "Write it short" }];
  expect(sent).toEqual([
    { plan_id: "r", version: 1, edits },
    { plan_id: "r", version: 2, edits },
  ]);
});

test("a step that has begun says why it stays, and the plan goes on while the dialog is open", () => {
  const { rerender } = render(dialog(planOf(1, "Write")));
  expect(screen.getByText("Step 1 is done, so it stays as it is.")).toBeTruthy();
  fireEvent.change(second(), { target: { value: "Write it short" } });
  const later = planOf(1, "Write");
  rerender(dialog({ ...later, steps: later.steps.map((step) => ({ ...step, status: "in_progress" })) }));
  expect(screen.queryByLabelText("What step 2 does")).toBeNull();
  expect(screen.getByText("Step 2: Write it short")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Apply" }).disabled).toBe(true);
});

test("a plan whose run is over cannot be changed any more, and what was typed is still there", () => {
  const { rerender } = render(dialog(planOf(1, "Write")));
  fireEvent.change(second(), { target: { value: "Write it short" } });
  rerender(dialog(planOf(1, "Write"), undefined, false));
  expect(screen.getByText("The plan is over. It cannot be changed any more.")).toBeTruthy();
  expect(second().value).toBe("Write it short");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Apply" }).disabled).toBe(true);
});

test("what was typed is there again when the dialog is opened anew", () => {
  const { unmount } = render(dialog(planOf(1, "Write")));
  fireEvent.change(second(), { target: { value: "Write it short" } });
  unmount();
  render(dialog(planOf(1, "Write")));
  expect(second().value).toBe("Write it short");
});

test("a step is moved with the keyboard, which stays on its arrow, or by dragging", () => {
  const steps = [1, 2, 3].map((number) => stepOf({ step_number: number, description: `step ${number}` }, number));
  render(dialog({ ...planOf(1, ""), steps }));
  const list = screen.getByRole("list", { name: "Steps of the plan" });
  const order = () => within(list).getAllByRole<HTMLTextAreaElement>("textbox").map((box) => box.value);
  fireEvent.click(screen.getByRole("button", { name: "Move step 3 up" }));
  expect(order()).toEqual(["step 1", "step 3", "step 2"]);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move step 3 up");
  fireEvent.click(screen.getByRole("button", { name: "Move step 3 up" }));
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move step 3 down");
  const dataTransfer = { setData: () => undefined };
  fireEvent.dragStart(list.querySelectorAll("[draggable]")[2] as Element, { dataTransfer });
  fireEvent.drop(list.children[0] as Element);
  expect(order()).toEqual(["step 2", "step 3", "step 1"]);
});
