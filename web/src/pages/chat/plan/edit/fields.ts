/** What a person can change of a step, and how a request names it. Pure. */
import type { PlanStep } from "@/stream/conversation";

export interface Fields {
  text: string;
  expectedOutput: string;
  prompt: string;
  agent: string;
  dependencies: readonly number[];
}

export const fieldsOf = ({ text, expectedOutput, prompt, agent, dependencies }: PlanStep): Fields => ({
  text,
  expectedOutput,
  prompt,
  agent,
  dependencies,
});

/** As long as the server takes them. */
export const CHARS_MAX = { text: 500, expectedOutput: 2000, prompt: 2000 } as const;

const NAMES = {
  text: "description",
  expectedOutput: "expected_output",
  prompt: "thought_prompt",
  agent: "assigned_agent",
  dependencies: "dependencies",
} as const;

export interface RequestFields {
  description?: string;
  expected_output?: string;
  thought_prompt?: string;
  assigned_agent?: string;
  dependencies?: number[];
}

export function requestFields(fields: Partial<Fields>): RequestFields {
  const named = Object.entries(fields).map(([name, value]) => [NAMES[name as keyof Fields], typeof value === "string" ? value.trim() : value]);
  return Object.fromEntries(named) as RequestFields;
}
