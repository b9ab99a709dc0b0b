// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { forgetPerson, keptFor, rememberPerson } from "@/app/state/kept";

beforeEach(() => (localStorage.clear(), sessionStorage.clear()));

const opened = (storage: () => Storage = () => localStorage) =>
  create<{ text: string }>()(
    persist(() => ({ text: "" }), { name: "draft", storage: keptFor(storage) }),
  );

test("the next person in this browser does not see what the last one wrote", () => {
  rememberPerson("ada");
  opened().setState({ text: "not for everybody" });
  rememberPerson("bo");
  expect(opened().getState().text).toBe("");
  rememberPerson("ada");
  expect(opened().getState().text).toBe("not for everybody");
});

test("whoever signs out takes theirs along, and leaves what is others' and the browser's", () => {
  localStorage.setItem("dataagent.preferences", "{}");
  rememberPerson("bo");
  opened().setState({ text: "of bo" });
  rememberPerson("ada");
  opened().setState({ text: "of ada" });
  opened(() => sessionStorage).setState({ text: "on its way" });
  forgetPerson();
  expect(opened().getState().text).toBe("");
  expect(sessionStorage).toHaveLength(0);
  expect(localStorage.getItem("dataagent.preferences")).toBe("{}");
  rememberPerson("bo");
  expect(opened().getState().text).toBe("of bo");
});
