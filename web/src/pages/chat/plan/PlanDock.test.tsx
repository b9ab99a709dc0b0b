// @vitest-environment happy-dom
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { PlanDock } from "@/pages/chat/plan/PlanDock";
import type { PlanStep } from "@/stream/conversation";


const steps = (...statuses: PlanStep["status"][]): PlanStep[] =>
  statuses.map((status, at) => ({ text: `step ${at}`, status }));

test("what a stopped run left undone can still be read", () => {
  render(<PlanDock plan={steps("completed", "in_progress", "pending")} running={false} />);
  expect(screen.getByText("not finished")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Show the plan" }));
  expect(screen.getByText("step 2")).toBeTruthy();
  expect(screen.getByLabelText("begun")).toBeTruthy();
});

test("a plan that is done goes with its run", () => {
  const { container, rerender } = render(<PlanDock plan={steps("completed")} running />);
  expect(container.textContent).toContain("1 of 1");
  rerender(<PlanDock plan={steps("completed")} running={false} />);
  expect(container.textContent).toBe("");
});
