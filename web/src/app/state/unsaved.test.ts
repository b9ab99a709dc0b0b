// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { rememberPerson } from "@/app/state/kept";
import { useUnsaved } from "@/app/state/unsaved";

beforeEach(() => {
  localStorage.clear();
  rememberPerson("ada");
});

const opened = (name = "skills/a") => renderHook(() => useUnsaved<string>(name)).result;

test("what is typed is there after the page was left, for the same person and thing only", () => {
  const editor = opened();
  act(() => editor.current.change("typed"));
  expect(opened().current.value).toBe("typed");
  expect(opened("skills/b").current.value).toBeNull();
  rememberPerson("bo");
  expect(opened().current.value).toBeNull();
});

test("what is saved is forgotten, unless more was typed meanwhile", () => {
  const editor = opened();
  act(() => editor.current.change("first"));
  const { change } = editor.current;
  const forget = (saved: string) => (now: string | null) => (now === saved ? null : now);
  act(() => editor.current.change("first and second"));
  act(() => change(forget("first")));
  expect(opened().current.value).toBe("first and second");
  act(() => editor.current.change(forget("first and second")));
  expect(editor.current.value).toBeNull();
  expect(opened().current.value).toBeNull();
  expect(localStorage).toHaveLength(0);
});

test("the oldest make room; a browser without room says so and the text stays on the page", () => {
  vi.useFakeTimers();
  for (let at = 0; at < 40; at += 1) {
    vi.setSystemTime(at);
    const { current } = opened(`skills/${at}`);
    act(() => current.change("text"));
  }
  vi.useRealTimers();
  expect(localStorage).toHaveLength(30);
  expect(opened("skills/39").current.value).toBe("text");
  expect(opened("skills/9").current.value).toBeNull();

  const setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, removeItem: () => undefined, setItem });
  const editor = opened();
  act(() => editor.current.change("much"));
  expect([editor.current.value, editor.current.isKept]).toEqual(["much", false]);
  vi.unstubAllGlobals();
});

test("as long as there is room, typing reads no other text", () => {
  for (let at = 0; at < 29; at += 1) {
    const { current } = opened(`skills/${at}`);
    act(() => current.change("text"));
  }
  const editor = opened("skills/last");
  const parse = vi.spyOn(JSON, "parse");
  act(() => editor.current.change("t"));
  act(() => editor.current.change("te"));
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(localStorage).toHaveLength(30);
});

test("what cannot be read is nothing", () => {
  localStorage.setItem("dataagent.of.ada.unsaved.skills/a", "{broken");
  expect(opened().current.value).toBeNull();
});
