/** Draws a scene with sigma (WebGL) and graphology. Loaded when a graph is looked at; React knows nothing of it. */
import Graph from "graphology";
import Sigma from "sigma";
import type { Scene, SceneEdge, SceneNode } from "@/pages/memory/graph/scene";
import { drawHover, drawLabel, type LabelColours } from "@/pages/memory/graph/labels";

export interface Colours extends LabelColours {
  /** Of folded communities, and of their members; one after the other. */
  discs: readonly string[];
  entities: readonly string[];
  /** Behind the members of an unfolded community. */
  grounds: readonly string[];
  alone: string;
  edge: string;
  chosenEdge: string;
}

export interface Drawing {
  show: (scene: Scene, chosen: string | null) => void;
  /** Brings a node into view, near enough to be read. */
  lookAt: (id: string) => void;
  zoom: (by: "in" | "out" | "all") => void;
  end: () => void;
}

interface Options {
  bounds: { x: [number, number]; y: [number, number] };
  colours: Colours;
  isStill: boolean;
  choose: (id: string) => void;
}

/** Of the shorter side of what is shown, the part that a node of interest takes. */
const LOOK_PART = 5;
const EDGES_WHILE_MOVING_MAX = 5_000;
const MOVE_MS = 300;

export function draw(place: HTMLElement, { bounds, colours, isStill, choose }: Options): Drawing {
  const graph = new Graph({ multi: true, type: "directed" });
  const sigma = new Sigma(graph, place, {
    // Sizes are those of the scene, so that members stay within their disc at every zoom.
    itemSizesReference: "positions",
    zoomToSizeRatioFunction: (ratio) => ratio,
    labelRenderedSizeThreshold: 5,
    labelFont: getComputedStyle(place).fontFamily,
    labelColor: { color: colours.text },
    defaultDrawNodeLabel: drawLabel(colours),
    defaultDrawNodeHover: drawHover(colours),
    defaultEdgeColor: colours.edge,
    minEdgeThickness: 0.6,
    zIndex: true,
    stagePadding: 12,
  });
  sigma.setCustomBBox(bounds);
  sigma.on("clickNode", ({ node }) => choose(node));
  const duration = isStill ? 0 : MOVE_MS;
  const camera = sigma.getCamera();
  return {
    show: (scene, chosen) => {
      sigma.setSetting("hideEdgesOnMove", scene.edges.size > EDGES_WHILE_MOVING_MAX);
      apply(graph, scene, chosen, colours);
    },
    lookAt: (id) => {
      // One that was just added has no place on the canvas before the next frame.
      if (!sigma.getNodeDisplayData(id)) sigma.refresh();
      const at = sigma.getNodeDisplayData(id);
      if (!at) return;
      const span = Math.max(bounds.x[1] - bounds.x[0], bounds.y[1] - bounds.y[0]);
      const ratio = Math.min(1, (graph.getNodeAttribute(id, "size") * 2 * LOOK_PART) / span);
      void camera.animate({ x: at.x, y: at.y, ratio: Math.min(camera.ratio, ratio) }, { duration });
    },
    zoom: (by) => {
      if (by === "in") void camera.animatedZoom({ duration });
      else if (by === "out") void camera.animatedUnzoom({ duration });
      else void camera.animatedReset({ duration });
    },
    end: () => sigma.kill(),
  };
}

/** What stays the same is left alone: of a large graph little changes at a time. */
function apply(graph: Graph, { nodes, edges }: Scene, chosen: string | null, colours: Colours): void {
  for (const id of graph.edges()) if (!edges.has(id)) graph.dropEdge(id);
  for (const id of graph.nodes()) if (!nodes.has(id)) graph.dropNode(id);
  for (const node of nodes.values()) {
    const wanted = nodeLook(node, node.id === chosen, colours);
    if (!graph.hasNode(node.id)) graph.addNode(node.id, wanted);
    else if (graph.getNodeAttribute(node.id, "look") !== wanted.look) graph.replaceNodeAttributes(node.id, wanted);
  }
  for (const edge of edges.values()) {
    const wanted = edgeLook(edge, chosen, colours);
    if (!graph.hasEdge(edge.id)) graph.addDirectedEdgeWithKey(edge.id, edge.source, edge.target, wanted);
    else if (graph.getEdgeAttribute(edge.id, "color") !== wanted.color) graph.replaceEdgeAttributes(edge.id, wanted);
  }
}

const of = (palette: readonly string[], at: number): string => palette[at % palette.length] ?? "";

function nodeLook({ x, y, radius, kind, label, colour, isUnfolded }: SceneNode, isChosen: boolean, colours: Colours) {
  const isCommunity = kind === "community";
  const palette = isCommunity ? (isUnfolded ? colours.grounds : colours.discs) : colours.entities;
  return {
    x,
    y,
    size: radius,
    label,
    color: colour < 0 ? colours.alone : of(palette, colour),
    highlighted: isChosen,
    // Read by the functions that draw labels.
    inside: isCommunity && !isUnfolded,
    forceLabel: isCommunity && !isUnfolded && radius > LABELLED_RADIUS_MIN,
    zIndex: isCommunity && isUnfolded ? 0 : 1,
    look: `${label} ${isUnfolded} ${isChosen} ${x} ${y}`,
  };
}

const LABELLED_RADIUS_MIN = 30;

function edgeLook({ source, target, weight }: SceneEdge, chosen: string | null, colours: Colours) {
  const isChosen = chosen !== null && (source === chosen || target === chosen);
  return {
    size: Math.min(3, 0.15 + Math.log1p(weight) / 6),
    color: isChosen ? colours.chosenEdge : colours.edge,
    zIndex: isChosen ? 1 : 0,
  };
}
