// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { useTaskRun } from "@/pages/chat/session/queries";

const server = vi.hoisted(() => {
  const known = { runs: null as object[] | null, asked: 0 };
  vi.stubGlobal("fetch", () => {
    known.asked += 1;
    return Promise.resolve(
      known.runs ? Response.json({ items: known.runs }) : Response.json({ code: "X", message: "x" }, { status: 500 }),
    );
  });
  return known;
});
beforeAll(() => void vi.useFakeTimers());
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

test("a task is read until it is over, also after a failed or an empty read, and slower while it waits", async () => {
  const queries = new QueryClient();
  const { result, unmount } = renderHook(() => useTaskRun("task-1"), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
  const readsIn = async (seconds: number) => {
    const before = server.asked;
    await pass(seconds);
    return server.asked - before;
  };
  await pass(1);
  expect(result.current.isError).toBe(true);
  server.runs = [];
  await pass(10);
  expect(result.current.data).toBeNull();
  server.runs = [{ status: "running", completed_at: null }];
  await pass(10);
  expect(result.current.data?.status).toBe("running");
  expect(await readsIn(20)).toBe(10);
  server.runs = null;
  await pass(2);
  expect(result.current.isError).toBe(true);
  expect(await readsIn(20)).toBe(2);
  server.runs = [{ status: "waiting_approval", completed_at: null }];
  await pass(10);
  expect(await readsIn(20)).toBe(2);
  server.runs = [{ status: "completed", completed_at: "2026-01-01T00:00:00Z" }];
  await pass(10);
  expect(await readsIn(60)).toBe(0);
  unmount();
});
