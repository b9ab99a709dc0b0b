/** What the canvas shows: folded communities as discs, the members of those that are unfolded. Pure. */
import type { Schemas } from "@/api/client";
import { placeCommunities, placeMembers, radiusOf, type Place } from "@/pages/learned/memory/graph/places";

export type Overview = Schemas["GraphOverviewInfo"];
export type Nodes = Schemas["GraphNodesInfo"];
export type Entity = Schemas["EntityInfo"];
export type Community = Schemas["CommunityInfo"];

export interface SceneNode extends Place {
  id: string;
  kind: "community" | "entity";
  label: string;
  /** Which colour of the palette; that of its community. */
  colour: number;
  isUnfolded: boolean;
}

export interface SceneEdge {
  id: string;
  source: string;
  target: string;
  weight: number;
}

export interface Scene {
  nodes: ReadonlyMap<string, SceneNode>;
  edges: ReadonlyMap<string, SceneEdge>;
}

/** The places of all communities, and of entities that belong to none, around them. */
export interface Layout {
  communities: ReadonlyMap<string, Place>;
  alone: ReadonlyMap<string, Place>;
}

export function layoutOf({ communities, links }: Overview, alone: readonly Entity[]): Layout {
  const groups = communities.map(({ id, member_count }) => ({ id: `c ${id}`, member_count }));
  const singles = alone.map(({ id }) => ({ id: `e ${id}`, member_count: 1 }));
  const joins = links.map(({ source, target, weight }) => ({ source: `c ${source}`, target: `c ${target}`, weight }));
  const places = placeCommunities([...groups, ...singles], joins);
  const of = (kind: string) =>
    new Map([...places].filter(([id]) => id.startsWith(`${kind} `)).map(([id, place]) => [id.slice(2), place]));
  return { communities: of("c"), alone: of("e") };
}

/** Nodes of both kinds have one space of ids. */
export const communityNode = (id: string): string => `community ${id}`;

export function sceneOf(
  overview: Overview,
  layout: Layout,
  alone: Nodes | undefined,
  unfolded: ReadonlyMap<string, Nodes>,
): Scene {
  const nodes = new Map<string, SceneNode>();
  const edges = new Map<string, SceneEdge>();
  overview.communities.forEach(({ id, name }, colour) => {
    const place = layout.communities.get(id);
    if (!place) return;
    const members = unfolded.get(id);
    nodes.set(communityNode(id), {
      ...place,
      id: communityNode(id),
      kind: "community",
      label: name,
      colour,
      isUnfolded: members !== undefined,
    });
    if (!members) return;
    const places = placeMembers(place, members.entities.map((each) => each.id));
    for (const entity of members.entities) addEntity(nodes, entity, places.get(entity.id), colour);
  });
  for (const entity of alone?.entities ?? []) addEntity(nodes, entity, layout.alone.get(entity.id), -1);
  for (const { source, target, weight } of overview.links) {
    const ends = { source: communityNode(source), target: communityNode(target) };
    addEdge(nodes, edges, { id: `${ends.source} ${ends.target}`, ...ends, weight });
  }
  for (const { relations } of [...unfolded.values(), ...(alone ? [alone] : [])]) {
    for (const { id, source_id, target_id, weight } of relations) {
      addEdge(nodes, edges, { id, source: source_id, target: target_id, weight });
    }
  }
  return { nodes, edges };
}

function addEntity(nodes: Map<string, SceneNode>, { id, name }: Entity, place: Place | undefined, colour: number): void {
  // One alone stands in a disc of its own, which is larger than it.
  if (place) nodes.set(id, { ...place, radius: 1, id, kind: "entity", label: name, colour, isUnfolded: false });
}

function addEdge(nodes: ReadonlyMap<string, SceneNode>, edges: Map<string, SceneEdge>, edge: SceneEdge): void {
  if (edge.source !== edge.target && nodes.has(edge.source) && nodes.has(edge.target)) edges.set(edge.id, edge);
}

/** The corners of everything, so that unfolding does not zoom. */
export function boundsOf({ communities, alone }: Layout): { x: [number, number]; y: [number, number] } {
  const all = [...communities.values(), ...alone.values()];
  const reach = (low: (each: Place) => number, high: (each: Place) => number): [number, number] => [
    all.reduce((least, each) => Math.min(least, low(each)), -radiusOf(1)),
    all.reduce((most, each) => Math.max(most, high(each)), radiusOf(1)),
  ];
  return {
    x: reach(({ x, radius }) => x - radius, ({ x, radius }) => x + radius),
    y: reach(({ y, radius }) => y - radius, ({ y, radius }) => y + radius),
  };
}

type Direction = "left" | "right" | "up" | "down";

/** The node that an arrow key leads to: the nearest one that lies rather there than aside. */
export function neighbourOf({ nodes }: Scene, from: string, direction: Direction): string | null {
  const start = nodes.get(from);
  if (!start) return nodes.keys().next().value ?? null;
  let best: { id: string; distance: number } | null = null;
  for (const { id, x, y, kind, isUnfolded } of nodes.values()) {
    // Behind its members an unfolded one is where they are.
    if (id === from || (kind === "community" && isUnfolded)) continue;
    const [ahead, aside] = turned(x - start.x, y - start.y, direction);
    if (ahead <= 0 || Math.abs(aside) > ahead * 2) continue;
    const distance = ahead + 2 * Math.abs(aside);
    if (best === null || distance < best.distance) best = { id, distance };
  }
  return best?.id ?? null;
}

/** Up is towards greater y, as the canvas draws it. */
function turned(dx: number, dy: number, direction: Direction): [number, number] {
  if (direction === "left" || direction === "right") return [direction === "right" ? dx : -dx, dy];
  return [direction === "up" ? dy : -dy, dx];
}
