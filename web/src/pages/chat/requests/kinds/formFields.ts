/** The fields of a server's form (flat: texts, numbers, yes or no, choices), and what fills them. Pure. */
import type { Json, JsonObject } from "@/stream/events";

export interface FormField {
  name: string;
  label: string;
  hint: string;
  required: boolean;
  kind: "text" | "number" | "boolean" | "choice" | "choices";
  choices: readonly { label: string; value: string }[];
  initial: Json;
}

const object = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

export function fieldsOf(schema: JsonObject): FormField[] {
  const required = list(schema.required);
  return Object.entries(object(schema.properties)).map(([name, raw]) => {
    const field = object(raw);
    const many = field.type === "array";
    const choices = choicesOf(many ? object(field.items) : field);
    const kind = choices.length
      ? many ? "choices" : "choice"
      : field.type === "boolean"
        ? "boolean"
        : field.type === "number" || field.type === "integer"
          ? "number"
          : "text";
    return {
      name,
      label: typeof field.title === "string" ? field.title : name,
      hint: typeof field.description === "string" ? field.description : "",
      required: required.includes(name),
      kind,
      choices,
      initial: field.default ?? null,
    };
  });
}

function choicesOf(field: JsonObject): FormField["choices"] {
  const titled = [...list(field.oneOf), ...list(field.anyOf)].map(object);
  if (titled.length) {
    return titled
      .filter((each) => "const" in each)
      .map((each) => ({ value: String(each.const), label: String(each.title ?? each.const) }));
  }
  const names = list(field.enumNames);
  return list(field.enum).map((value, at) => ({
    value: String(value),
    label: String(names[at] ?? value),
  }));
}

/** A field left empty is a field left out. */
export function filledIn(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
}
