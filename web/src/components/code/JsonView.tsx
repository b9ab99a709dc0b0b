/** A JSON value as indented text. */
import { CodeBlock } from "@/components/code/CodeBlock";

export function JsonView({ value }: { value: unknown }) {
  return <CodeBlock language="json" text={JSON.stringify(value, null, 2) ?? "null"} />;
}
