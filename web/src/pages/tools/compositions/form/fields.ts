/** A composition as the form holds it, and as the server takes it. Pure. */
import type { Composition, CompositionBody } from "@/pages/tools/compositions/queries";

export const KINDS = ["sequential", "parallel", "conditional"] as const;
export type Kind = (typeof KINDS)[number];
export const INPUT_TYPES = ["string", "integer", "number", "boolean", "array", "object"] as const;

export interface StepValue {
  tool: string;
  /** JSON; values may hold references. */
  args: string;
  fallbacks: string[];
  beside: boolean;
  /** JSON: the branches of a conditional composition. */
  next: string;
}

export interface InputValue {
  name: string;
  type: string;
  description: string;
  /** Empty: it must be given. */
  fallback: string;
  /** What else its schema says. */
  rest: Record<string, unknown>;
}

export interface CompositionValue {
  name: string;
  description: string;
  project_id: string | null;
  kind: Kind;
  inputs: InputValue[];
  steps: StepValue[];
}

/** A field whose text is no JSON. */
export interface BrokenField {
  field: "args" | "next" | "default";
  number: number;
}

export const EMPTY_STEP: StepValue = { tool: "", args: "{}", fallbacks: [], beside: false, next: "[]" };
export const EMPTY_INPUT: InputValue = { name: "", type: "string", description: "", fallback: "", rest: {} };
export const EMPTY_VALUE: CompositionValue = {
  name: "",
  description: "",
  project_id: null,
  kind: "sequential",
  inputs: [],
  steps: [EMPTY_STEP, EMPTY_STEP],
};

type Json = Record<string, unknown>;

const written = (value: unknown): string => JSON.stringify(value, null, 2);

export function valueOf(composition: Composition): CompositionValue {
  const template = composition.execution_template as { kind?: Kind; inputs?: Record<string, Json>; steps?: Json[] };
  return {
    name: composition.name,
    description: composition.description,
    project_id: composition.project_id,
    kind: template.kind ?? "sequential",
    inputs: Object.entries(template.inputs ?? {}).map(([name, schema]) => {
      const { type, description, default: fallback, ...rest } = schema;
      return {
        name,
        type: typeof type === "string" ? type : "string",
        description: typeof description === "string" ? description : "",
        fallback: fallback === undefined ? "" : typeof fallback === "string" ? fallback : JSON.stringify(fallback),
        rest,
      };
    }),
    steps: composition.tools.map((tool, at) => {
      const step = template.steps?.[at] ?? {};
      return {
        tool,
        args: written(step.args ?? {}),
        fallbacks: composition.fallback_alternatives[tool] ?? [],
        beside: step.beside_previous === true,
        next: written(step.next ?? []),
      };
    }),
  };
}

/** What the server takes; null where a text is no JSON. */
export function bodyOf(value: CompositionValue): { body: CompositionBody | null; broken: BrokenField[] } {
  const broken: BrokenField[] = [];
  const parse = (text: string, field: BrokenField["field"], at: number): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      broken.push({ field, number: at + 1 });
      return undefined;
    }
  };
  const inputs = value.inputs.map(({ name, type, description, fallback, rest }, at) => [
    name,
    {
      ...rest,
      type,
      ...(description && { description }),
      ...(fallback && { default: type === "string" ? fallback : parse(fallback, "default", at) }),
    },
  ]);
  const steps = value.steps.map((step, at) => ({
    args: parse(step.args.trim() || "{}", "args", at),
    ...(value.kind === "sequential" && step.beside && at > 0 && { beside_previous: true }),
    ...(value.kind === "conditional" && { next: parse(step.next.trim() || "[]", "next", at) }),
  }));
  const fallbacks: Record<string, string[]> = {};
  for (const { tool, fallbacks: names } of value.steps) {
    if (names.length > 0) fallbacks[tool] = [...new Set([...(fallbacks[tool] ?? []), ...names])];
  }
  const body: CompositionBody = {
    name: value.name,
    description: value.description,
    project_id: value.project_id,
    tools: value.steps.map(({ tool }) => tool),
    execution_template: { kind: value.kind, inputs: Object.fromEntries(inputs) as Json, steps },
    fallback_alternatives: fallbacks,
  };
  return { body: broken.length > 0 ? null : body, broken };
}

/** Arguments to begin with: those a tool needs, with the result of the step before in the first. */
export function firstArgs(schema: Json | undefined, isFirst: boolean): string {
  const required = Array.isArray(schema?.required) ? (schema.required as string[]) : [];
  return written(Object.fromEntries(required.map((name, at) => [name, at === 0 && !isFirst ? "{{previous}}" : ""])));
}
