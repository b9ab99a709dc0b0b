/** Draws a scene with sigma (WebGL) and graphology. Loaded when a graph is looked at; React knows nothing of it. */
import Graph from "graphology";
import Sigma from "sigma";
import type { Place } from "@/pages/learned/memory/graph/places";
import type { Scene, SceneEdge, SceneNode } from "@/pages/learned/memory/graph/scene";
import { drawGrounds, groundsOf, type Ground } from "@/pages/learned/memory/graph/grounds";
import { drawHover, drawLabel, type LabelColours } from "@/pages/learned/memory/graph/labels";

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
  /** Brings a place into view, near enough to be read. */
  lookAt: (place: Place) => void;
  zoom: (by: "in" | "out" | "all") => void;
  end: () => void;
}

interface Options {
  bounds: { x: [number, number]; y: [number, number] };
  colours: Colours;
  isStill: boolean;
  choose: (id: string) => void;
}

/** What is seen around an entity that is looked at, in radii of an entity. */
const LOOK_RADII = 40;
/** And around a community, in its radii. */
const LOOK_AROUND = 2.6;
const EDGES_WHILE_MOVING_MAX = 5_000;
const MOVE_MS = 300;

export function draw(place: HTMLElement, { bounds, colours, isStill, choose }: Options): Drawing {
  // React may hold on to a drawing for a moment after its end.
  let isOver = false;
  let grounds: readonly Ground[] = [];
  const sigma = new Sigma(new Graph(), place, {
    // Sizes are those of the scene, so that members stay within their disc at every zoom.
    itemSizesReference: "positions",
    zoomToSizeRatioFunction: (ratio) => ratio,
    labelRenderedSizeThreshold: 6,
    labelDensity: 0.5,
    labelGridCellSize: 120,
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
  // Not nodes: what the pointer is over would hide the members that stand on it.
  const layer = sigma.createCanvas("grounds", { beforeLayer: "edges" });
  sigma.on("afterRender", () => drawGrounds(sigma, layer, grounds));
  sigma.on("clickNode", ({ node }) => choose(node));
  const duration = isStill ? 0 : MOVE_MS;
  const camera = sigma.getCamera();
  return {
    show: (scene, chosen) => {
      if (isOver) return;
      sigma.setSetting("hideEdgesOnMove", scene.edges.size > EDGES_WHILE_MOVING_MAX);
      grounds = groundsOf(scene, chosen, colours);
      sigma.setGraph(graphOf(scene, chosen, colours));
    },
    lookAt: ({ x, y, radius }) => {
      if (isOver) return;
      const at = sigma.viewportToFramedGraph(sigma.graphToViewport({ x, y }));
      const span = Math.max(bounds.x[1] - bounds.x[0], bounds.y[1] - bounds.y[0]);
      const ratio = Math.min(1, (radius > 1 ? radius * LOOK_AROUND : LOOK_RADII) / span);
      void camera.animate({ x: at.x, y: at.y, ratio }, { duration });
    },
    zoom: (by) => {
      if (by === "in") void camera.animatedZoom({ duration });
      else if (by === "out") void camera.animatedUnzoom({ duration });
      else void camera.animatedReset({ duration });
    },
    end: () => {
      isOver = true;
      sigma.kill();
    },
  };
}

/** Made anew and given as a whole: sigma would draw again after each node that comes or goes. */
function graphOf({ nodes, edges }: Scene, chosen: string | null, colours: Colours): Graph {
  const graph = new Graph({ multi: true, type: "directed" });
  for (const node of nodes.values()) {
    if (!node.isUnfolded) graph.addNode(node.id, nodeLook(node, node.id === chosen, colours));
  }
  for (const edge of edges.values()) {
    if (!graph.hasNode(edge.source) || !graph.hasNode(edge.target)) continue;
    graph.addDirectedEdgeWithKey(edge.id, edge.source, edge.target, edgeLook(edge, chosen, colours));
  }
  return graph;
}

const of = (palette: readonly string[], at: number): string => palette[at % palette.length] ?? "";

function nodeLook({ x, y, radius, kind, label, colour }: SceneNode, isChosen: boolean, colours: Colours) {
  const isCommunity = kind === "community";
  const palette = isCommunity ? colours.discs : colours.entities;
  return {
    x,
    y,
    size: radius,
    label,
    color: colour < 0 ? colours.alone : of(palette, colour),
    highlighted: isChosen,
    // Read by the functions that draw labels.
    inside: isCommunity,
    forceLabel: isCommunity && radius > LABELLED_RADIUS_MIN,
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
