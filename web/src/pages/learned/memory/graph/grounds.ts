/** The discs that the members of unfolded communities stand on, on a canvas of their own below the graph. */
import type Sigma from "sigma";
import type { Colours } from "@/pages/learned/memory/graph/drawing";
import type { Scene } from "@/pages/learned/memory/graph/scene";

export interface Ground {
  x: number;
  y: number;
  radius: number;
  label: string;
  colour: string;
  text: string;
  /** Around the one that is looked at. */
  ring: string | null;
}

export function groundsOf({ nodes }: Scene, chosen: string | null, colours: Colours): Ground[] {
  return [...nodes.values()]
    .filter((node) => node.isUnfolded)
    .map(({ id, x, y, radius, label, colour }) => ({
      x,
      y,
      radius,
      label,
      colour: colours.grounds[colour % colours.grounds.length] ?? "",
      text: colours.text,
      ring: id === chosen ? colours.ring : null,
    }));
}

const LABEL_PX = 14;

export function drawGrounds(sigma: Sigma, layer: HTMLCanvasElement, grounds: readonly Ground[]): void {
  const context = sized(layer, sigma.getDimensions());
  if (!context) return;
  context.textAlign = "center";
  context.font = `600 ${LABEL_PX}px ${sigma.getSetting("labelFont")}`;
  for (const { x, y, radius, label, colour, text, ring } of grounds) {
    const at = sigma.graphToViewport({ x, y });
    const edge = sigma.graphToViewport({ x: x + radius, y });
    const size = Math.hypot(edge.x - at.x, edge.y - at.y);
    context.beginPath();
    context.arc(at.x, at.y, size, 0, Math.PI * 2);
    context.fillStyle = colour;
    context.fill();
    if (ring) {
      context.strokeStyle = ring;
      context.lineWidth = 2;
      context.stroke();
    }
    context.fillStyle = text;
    context.fillText(label, at.x, at.y - size - LABEL_PX / 2);
  }
}

/** Empty, and as sharp as the screen. */
function sized(layer: HTMLCanvasElement, { width, height }: { width: number; height: number }): CanvasRenderingContext2D | null {
  const sharp = window.devicePixelRatio || 1;
  // Setting a size empties it.
  layer.width = Math.round(width * sharp);
  layer.height = Math.round(height * sharp);
  layer.style.width = `${width}px`;
  layer.style.height = `${height}px`;
  const context = layer.getContext("2d");
  context?.scale(sharp, sharp);
  return context;
}
