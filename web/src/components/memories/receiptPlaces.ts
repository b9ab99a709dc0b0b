/** What a receipt counts by table, in the words of who reads it: tables that hold the same are one place. Pure. */
import type { memoryTexts } from "@/components/memories/texts";
import type { Say } from "@/i18n";

type Place = Extract<keyof (typeof memoryTexts)["en"], `place_${string}`>;

/** As the tables of a database are called, and as a graph in Neo4j calls the same. */
const PLACES: Readonly<Record<string, Place>> = {
  memories: "place_memories",
  notes: "place_notes",
  graph_episodes: "place_episodes",
  Episodic: "place_episodes",
  graph_entities: "place_entities",
  graph_names: "place_entities",
  Entity: "place_entities",
  graph_relations: "place_relations",
  graph_evidence: "place_relations",
  RELATES_TO: "place_relations",
  graph_mentions: "place_mentions",
  MENTIONS: "place_mentions",
  graph_communities: "place_communities",
  Community: "place_communities",
};

export function receiptPlaces(counts: Readonly<Record<string, number>>, t: Say<Place>): [string, number][] {
  const places = new Map<Place, number>();
  for (const [table, count] of Object.entries(counts)) {
    const place = PLACES[table] ?? "place_other";
    if (count > 0) places.set(place, (places.get(place) ?? 0) + count);
  }
  return [...places].map(([place, count]) => [t(place), count]);
}
