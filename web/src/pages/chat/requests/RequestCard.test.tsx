// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { App } from "antd";
import type { ReactNode } from "react";
import { afterAll, expect, test, vi } from "vitest";
import { meQuery, type Me } from "@/api/me";
import { GoAhead } from "@/pages/chat/plan/GoAhead";
import type { HumanRequest } from "@/pages/chat/requests/answer/answers";
import { RequestCard } from "@/pages/chat/requests/RequestCard";

const { sent } = vi.hoisted(() => {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "POST") bodies.push(await request.json());
    return Response.json({});
  });
  return { sent: bodies };
});
afterAll(() => void vi.unstubAllGlobals());

const option = (label: string, is_recommended = false) => ({ label, description: "As the agent wrote it.", is_recommended });
const asked = (more: object): HumanRequest =>
  ({ interrupt_id: "q", kind: "decision", action_requests: [], context: null, step_number: null, ...more }) as unknown as HumanRequest;

function within(part: ReactNode) {
  const queries = new QueryClient();
  queries.setQueryData(meQuery.queryKey, { user_id: "u", tenant_id: "t", role: "member" } as Me);
  render(
    <App>
      <QueryClientProvider client={queries}>{part}</QueryClientProvider>
    </App>,
  );
}
const card = (request: HumanRequest) => (
  <RequestCard request={request} sessionId="s" deadline={null} canAnswer mine forGood place={null} />
);

test("a question before a step says which step asks", () => {
  const question = "Step 2 (Load all): it reads about 12.0 GB. Go on?";
  const options = [option("Continue", true), option("Skip this step")];
  within(card(asked({ question, context: question, question_type: "risk", step_number: 2, options })));
  expect(screen.getByText("Step 2 asks")).toBeTruthy();
  expect(screen.getAllByText(question)).toHaveLength(1);
  expect(screen.getByText("Go on without it.")).toBeTruthy();
});

test("the question about a plan leaves the steps to the dock, whose button answers it", async () => {
  const plan = asked({
    kind: "clarification",
    question: "Carry out this plan? (4 steps)\n\n1. Look",
    question_type: "work_plan",
    options: [option("Add a check first"), option("Go ahead", true)],
  });
  within(
    <>
      {card(plan)}
      <GoAhead request={plan} sessionId="s" />
    </>,
  );
  expect(screen.getByRole("heading", { name: "Shall the agent work by this plan?" })).toBeTruthy();
  expect(screen.queryByText("Look")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /Go ahead/ }));
  await vi.waitFor(() => expect(sent).toEqual([{ decision: { type: "answer", answer: "Go ahead" } }]));
});
