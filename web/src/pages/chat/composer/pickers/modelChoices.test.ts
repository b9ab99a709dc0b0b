import { expect, test } from "vitest";
import type { Schemas } from "@/api/client";
import { modelChoices } from "@/pages/chat/composer/pickers/modelChoices";

const model = (name: string, is_usable = true): Schemas["ModelInfo"] => ({
  model: name,
  provider: name.split(":")[0] ?? "",
  name: name.split(":")[1] ?? "",
  context_length: 1,
  max_output_tokens: 1,
  input_cost_per_1m: null,
  output_cost_per_1m: null,
  sources: {},
  is_default: false,
  is_own: false,
  is_usable,
});
const openai = { name: "openai", title: "OpenAI", takes_key: true, takes_base_url: true };
const list = (...models: Schemas["ModelInfo"][]): Schemas["ModelList"] => ({
  models,
  providers: [{ ...openai, default_model: null, by: null }],
  default: "demo:demo",
});

test("what can be used is offered, and what cannot says whose key is missing", () => {
  expect(modelChoices(list(model("demo:demo"), model("openai:x", false)), "")).toEqual([
    { model: "demo:demo", why: null },
    { model: "openai:x", why: { kind: "not_set_up", provider: "OpenAI" } },
  ]);
});

test("a script is never offered by its name", () => {
  expect(modelChoices(list(model("scripted:a.json")), "")).toEqual([]);
});

test("what was chosen and is offered no more is shown as that", () => {
  expect(modelChoices(list(model("demo:demo")), "openai:old")).toEqual([
    { model: "openai:old", why: { kind: "not_offered" } },
    { model: "demo:demo", why: null },
  ]);
});
