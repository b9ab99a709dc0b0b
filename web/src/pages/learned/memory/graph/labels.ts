/** How names are written: inside the disc of a community, cut to its width; beside an entity. */
import { linesOf } from "@/pages/learned/memory/graph/labelLines";
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from "sigma/rendering";

export interface LabelColours {
  text: string;
  ground: string;
  ring: string;
}

interface Labelled {
  x: number;
  y: number;
  size: number;
  label: string | null;
  inside?: boolean;
}

const BESIDE_PX = 4;
/** Of a name inside a disc, the part of its width it may take. */
const INSIDE_PART = 1.8;
/** And of its height. */
const INSIDE_HIGH_PART = 1.5;
const INSIDE_SIZE_MIN_PX = 16;

export const drawLabel =
  ({ text }: LabelColours): NodeLabelDrawingFunction =>
  (context, data, settings) => {
    write(context, data as unknown as Labelled, settings.labelSize, settings.labelFont, text);
  };

/** A ring around what the pointer or the keyboard is at, and its whole name on a ground of its own. */
export const drawHover =
  ({ text, ground, ring }: LabelColours): NodeHoverDrawingFunction =>
  (context, data, settings) => {
    const { x, y, size, label } = data as unknown as Labelled;
    context.beginPath();
    context.arc(x, y, size + 3, 0, Math.PI * 2);
    context.strokeStyle = ring;
    context.lineWidth = 3;
    context.stroke();
    if (!label) return;
    context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
    const width = context.measureText(label).width;
    const left = x + size + BESIDE_PX + 4;
    const high = settings.labelSize + 8;
    context.fillStyle = ground;
    context.fillRect(left - 4, y - high / 2, width + 8, high);
    context.strokeStyle = ring;
    context.lineWidth = 1;
    context.strokeRect(left - 4, y - high / 2, width + 8, high);
    context.fillStyle = text;
    context.fillText(label, left, y + settings.labelSize / 3);
  };

function write(
  context: CanvasRenderingContext2D,
  { x, y, size, label, inside }: Labelled,
  px: number,
  font: string,
  colour: string,
): void {
  if (!label) return;
  context.font = `${inside ? 600 : 400} ${px}px ${font}`;
  context.fillStyle = colour;
  if (!inside) {
    context.fillText(label, x + size + BESIDE_PX, y + px / 3);
    return;
  }
  if (size < INSIDE_SIZE_MIN_PX) return;
  const lines = linesOf(label, (text) => context.measureText(text).width, size * INSIDE_PART, Math.max(1, Math.floor((size * INSIDE_HIGH_PART) / (px * 1.2))));
  lines.forEach((line, at) => {
    const below = (at - (lines.length - 1) / 2) * px * 1.2;
    context.fillText(line, x - context.measureText(line).width / 2, y + px / 3 + below);
  });
}
