import { expect, test } from "vitest";
import { receiptPlaces } from "@/components/memories/receiptPlaces";
import { memoryTexts } from "@/components/memories/texts";

test.each(["en", "zh"] as const)("in %s a receipt names no table, and what is in two of them is one place", (language) => {
  const t = (key: keyof typeof memoryTexts.en) => memoryTexts[language][key];
  const counts = { memories: 1, graph_relations: 2, graph_evidence: 3, Entity: 1, graph_mentions: 0, new_table: 4 };
  expect(receiptPlaces(counts, t)).toEqual([
    [t("place_memories"), 1],
    [t("place_relations"), 5],
    [t("place_entities"), 1],
    [t("place_other"), 4],
  ]);
});
