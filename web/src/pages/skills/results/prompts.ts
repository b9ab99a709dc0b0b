/** The test prompts of a skill: two lists of lines, and the file they are stored in. Pure. */

export const PROMPTS_FILE = "evals/evals.json";

export interface Prompts {
  should: string[];
  should_not: string[];
}

export const NO_PROMPTS: Prompts = { should: [], should_not: [] };

// What the lists and a prompt are called by others, as the server reads them (`skills/evals.py`).
const SHOULD = ["should", "should_trigger", "should_fire", "positive"];
const SHOULD_NOT = ["should_not", "should_not_trigger", "should_not_fire", "negative"];
const PROMPT = ["prompt", "query", "message", "text"];

type Json = Record<string, unknown>;

/** A file that is no JSON object has no prompts: the test says what is wrong with it. */
export function readPrompts(text: string): Prompts {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return NO_PROMPTS;
  }
  const lists = typeof found === "object" && found !== null ? (found as Json) : {};
  return { should: listOf(lists, SHOULD), should_not: listOf(lists, SHOULD_NOT) };
}

export const writePrompts = (prompts: Prompts): string => `${JSON.stringify(prompts, null, 2)}\n`;

export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

function listOf(lists: Json, names: readonly string[]): string[] {
  const list = names.map((name) => lists[name]).find(Array.isArray) ?? [];
  return list.map(textOf).filter(Boolean);
}

function textOf(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  if (typeof prompt !== "object" || prompt === null) return "";
  const text = PROMPT.map((name) => (prompt as Json)[name]).find((each) => typeof each === "string");
  return typeof text === "string" ? text : "";
}
