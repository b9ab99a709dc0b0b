import { expect, test } from "vitest";
import { nearBudgets, totalOf } from "@/pages/chat/header/spent";
import { EMPTY, type Conversation, type Run, type Spent } from "@/stream/conversation";

const spent = (change: Partial<Spent>): Spent => ({
  tokens: { total_tokens: 100 },
  cost: 0.5,
  currency: "USD",
  budgets: [],
  ...change,
});
const conversation = (...all: Spent[]): Conversation => ({
  ...EMPTY,
  runs: Object.fromEntries(
    all.map((each, at): [string, Run] => [
      `r${at}`,
      {
        runId: `r${at}`,
        messageId: `m${at}`,
        model: "demo",
        startedAt: at,
        endedAt: null,
        reason: null,
        spent: each,
        attempt: 1,
        feedback: {},
      recalled: [],
      },
    ]),
  ),
});

test("all runs count, and an unknown price is never 0", () => {
  expect(totalOf(EMPTY)).toMatchObject({ tokens: 0, cost: null, partly: false });
  expect(totalOf(conversation(spent({}), spent({})))).toMatchObject({ tokens: 200, cost: 1 });
  expect(totalOf(conversation(spent({ cost: null })))).toMatchObject({ cost: null, partly: true });
  expect(totalOf(conversation(spent({}), spent({ cost: null })))).toMatchObject({
    cost: 0.5,
    partly: true,
  });
});

test("a run that cost nothing does not make an unknown price 0", () => {
  expect(totalOf(conversation(spent({ cost: 0 }), spent({ cost: null })))).toMatchObject({ cost: null });
});

test("only budgets that are nearly used are told", () => {
  const budgets = [
    { scope: "tenant", period: "month", used_cost: 9, cost_max: 10, used_tokens: 0, tokens_max: null },
    { scope: "user", period: "day", used_cost: 1, cost_max: 10, used_tokens: 0, tokens_max: null },
  ];
  expect(nearBudgets(conversation(spent({ budgets })))).toEqual([
    { scope: "tenant", period: "month", share: 0.9 },
  ]);
});
