/** The tokens of each model as bars, the most used first. Pure. */
import { partColours, partsOf, type PartWords } from "@/components/charts/usageSpec";
import type { Usage } from "@/pages/usage/queries";

export interface ModelWords extends PartWords {
  title: string;
  model: string;
  unnamed: string;
}

export function modelSpec(lines: readonly Usage[], words: ModelWords): object {
  const values = lines.flatMap((line) =>
    partsOf(line, words).map((part) => ({ model: line.name || words.unnamed, ...part })),
  );
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title: { text: words.title, anchor: "start", offset: 16 },
    data: { values },
    mark: "bar",
    encoding: {
      y: {
        field: "model",
        type: "nominal",
        title: null,
        sort: { field: "tokens", op: "sum", order: "descending" },
        axis: { labelLimit: 180 },
      },
      x: { field: "tokens", type: "quantitative", title: words.tokens, axis: { format: "~s" } },
      // Long names leave little room beside the bars on a phone.
      color: partColours(words, { orient: "bottom", columns: 2 }),
      tooltip: [
        { field: "model", title: words.model },
        { field: "kind", title: words.kind },
        { field: "tokens", title: words.tokens, format: "," },
      ],
    },
  };
}
