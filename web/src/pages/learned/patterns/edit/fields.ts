/** A pattern as a person edits it, and what of it somebody else has changed meanwhile. Pure. */
import type { Schemas } from "@/api/client";
import type { PatternDetail } from "@/api/learned/patterns";

export interface StepValue {
  description: string;
  expected_output: string;
  tools: string[];
  decision_points: string[];
  corrections: string[];
}

export interface PatternValue {
  name: string;
  description: string;
  steps: StepValue[];
}

type Field = keyof PatternValue;
export const FIELDS = ["name", "description", "steps"] as const satisfies Field[];

/** What was typed, and the fields as they were when it was. */
export interface Draft {
  version: number;
  base: PatternValue;
  changes: Partial<PatternValue>;
}

export const EMPTY_STEP: StepValue = { description: "", expected_output: "", tools: [], decision_points: [], corrections: [] };

export const valueOf = ({ name, description, steps }: PatternDetail): PatternValue => ({
  name,
  description,
  steps: steps.map(({ description: text, expected_output, tools, decision_points, corrections }) => ({
    description: text,
    expected_output,
    tools,
    decision_points,
    corrections,
  })),
});

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The draft with one field typed; null once nothing differs from what is stored. */
export function withField<K extends Field>(
  draft: Draft | null,
  pattern: PatternDetail,
  field: K,
  value: PatternValue[K],
): Draft | null {
  const stored = valueOf(pattern);
  const { [field]: _old, ...others } = draft?.changes ?? {};
  const changes: Partial<PatternValue> = same(value, stored[field]) ? others : { ...others, [field]: value };
  if (Object.keys(changes).length === 0) return null;
  return { version: draft?.version ?? pattern.version, base: draft?.base ?? stored, changes };
}

/** The fields that are changed here, and otherwise there. */
export function conflicts(draft: Draft | null, now: PatternValue): Field[] {
  if (!draft) return [];
  return FIELDS.filter((field) => {
    const mine = draft.changes[field];
    return mine !== undefined && !same(now[field], draft.base[field]) && !same(now[field], mine);
  });
}

/** What is sent: what nobody changed here stays as it is there. Lines left empty are none. */
export function updateOf(draft: Draft, version: number): Schemas["PatternUpdate"] {
  const { steps, ...rest } = draft.changes;
  return { version, ...rest, ...(steps ? { steps: steps.map(stepBody) } : {}) };
}

export function stepBody({ decision_points, corrections, ...rest }: StepValue): Schemas["PatternStepBody"] {
  return { ...rest, decision_points: written(decision_points), corrections: written(corrections) };
}

const written = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter(Boolean);
