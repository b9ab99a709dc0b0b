/** Colours of the graph in light and dark; names can be read on all of them. */
import type { Colours } from "@/pages/learned/memory/graph/drawing";

const LIGHT: Colours = {
  text: "#1f2328",
  ground: "#ffffff",
  ring: "#0958d9",
  discs: ["#a9cbff", "#ffcf99", "#b5e0a5", "#d9c2f5", "#ffc0d9", "#a5dcdc", "#e6d69a", "#c9d1db"],
  entities: ["#0958d9", "#ad5700", "#237804", "#722ed1", "#c41d7f", "#08767a", "#7c6500", "#4a5563"],
  grounds: ["#e8f1ff", "#fff1e0", "#ebf7e6", "#f5eefd", "#ffeef5", "#e6f6f6", "#f9f4df", "#eef1f4"],
  alone: "#57606a",
  edge: "#dde1e6",
  chosenEdge: "#0958d9",
};

const DARK: Colours = {
  text: "#f0f3f6",
  ground: "#20252e",
  ring: "#7ab8ff",
  discs: ["#1f4a85", "#7a4a12", "#2d5f21", "#53357f", "#7d2f57", "#1c5d60", "#5f5317", "#48515d"],
  entities: ["#7ab8ff", "#ffb866", "#95de64", "#c8a2f0", "#ff9cc8", "#6fd6d6", "#e0cb66", "#aeb8c4"],
  grounds: ["#1b2738", "#2e2519", "#1e2a1b", "#272036", "#301f2a", "#192a2c", "#2a2718", "#232932"],
  alone: "#aeb8c4",
  edge: "#303843",
  chosenEdge: "#7ab8ff",
};

export const paletteOf = (dark: boolean): Colours => (dark ? DARK : LIGHT);
