// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { App } from "antd";
import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { PlanDock } from "@/pages/chat/plan/PlanDock";
import { isDocked, isShown } from "@/pages/chat/plan/shown";
import { EMPTY, type Plan, type PlanStep } from "@/stream/conversation";
import { stepOf } from "@/stream/plans";

const plan = (steps: object[], more: Partial<Plan> = {}): Plan => ({
  runId: "r",
  version: 1,
  status: "in_progress",
  stage: null,
  round: 0,
  reason: "",
  changes: [],
  steps: steps.map((raw, at) => stepOf({ step_number: at + 1, description: `step ${at + 1}`, ...raw }, at + 1)),
  facts: {},
  ...more,
});
const steps = (...statuses: PlanStep["status"][]) => statuses.map((status) => ({ status }));

const within = (part: ReactElement) => (
  <App>
    <QueryClientProvider client={new QueryClient()}>{part}</QueryClientProvider>
  </App>
);
const dock = (shown: Plan, running: boolean, writes = false) =>
  within(
    <PlanDock
      sessionId="s"
      conversation={{ ...EMPTY, plan: shown, activeRunId: running ? "r" : null }}
      plan={shown}
      writes={writes}
      answers
    />,
  );

test("what a stopped run left undone can still be read", async () => {
  render(dock(plan(steps("completed", "in_progress", "pending")), false));
  expect(screen.getByText("not finished")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Show the plan" }));
  expect(await screen.findByText("step 3")).toBeTruthy();
  expect(screen.getByLabelText("begun")).toBeTruthy();
});

test("a plan that is done goes with its run, and one of another run is not shown for it", () => {
  const done = plan(steps("completed", "skipped", "cancelled"));
  expect([isDocked(done, null), isDocked(done, "r"), isDocked(done, "q")]).toEqual([false, true, false]);
  expect(isDocked(plan(steps("completed", "failed")), null)).toBe(true);
  // It was planned again, and what took the place of the failed step was done.
  expect(isDocked(plan(steps("failed", "completed"), { status: "completed" }), null)).toBe(false);
  expect(isShown(plan([], { version: null, status: null }))).toBe(false);
});

test("steps that run at the same time are side by side, and say what they wait for and why they failed", async () => {
  const parallel = [{ status: "in_progress" }, { status: "failed", result: "no such table" }, { dependencies: [1, 2] }];
  render(dock(plan(parallel, { stage: "execute", round: 1 }), true));
  fireEvent.click(screen.getByRole("button", { name: "Show the plan" }));
  const side = await screen.findByRole("list", { name: "Side by side" });
  expect(side.children).toHaveLength(2);
  expect(screen.getByText("Why: no such table")).toBeTruthy();
  expect(screen.getByText("after 1, 2")).toBeTruthy();
  expect(screen.getByText("A review sent work back")).toBeTruthy();
});

test("a run without a plan says why", () => {
  render(dock(plan([], { status: "timeout", reason: "5 s were over" }), true));
  expect(screen.getByText("No plan in time, works without one: 5 s were over")).toBeTruthy();
});

test("only an open work plan can be changed, by who writes here", () => {
  const changes = (shown: Plan, running: boolean, writes: boolean) => {
    const { unmount } = render(dock(shown, running, writes));
    const found = screen.queryByRole("button", { name: /Change the plan/ });
    unmount();
    return found !== null;
  };
  expect(changes(plan(steps("pending")), true, true)).toBe(true);
  expect(changes(plan(steps("pending")), true, false)).toBe(false);
  expect(changes(plan(steps("pending")), false, true)).toBe(false);
  expect(changes(plan(steps("pending"), { version: null, status: null }), true, true)).toBe(false);
  expect(changes(plan(steps("pending"), { status: "fallback" }), true, true)).toBe(false);
});
