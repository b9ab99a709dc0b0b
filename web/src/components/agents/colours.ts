/** The colours a sub-agent may have, readable on both grounds; the name is always beside them. */
export const AGENT_COLOURS = {
  blue: "light-dark(#0958d9, #7ab8ff)",
  green: "light-dark(#237804, #8fd6a4)",
  orange: "light-dark(#ad4e00, #ffb067)",
  purple: "light-dark(#531dab, #c7a6f5)",
  red: "light-dark(#b3261e, #ff9c94)",
  teal: "light-dark(#00606b, #6fd3dd)",
  yellow: "light-dark(#7a5c00, #f0d264)",
  gray: "light-dark(#595959, #b5bcc7)",
} as const;

export type AgentColour = keyof typeof AGENT_COLOURS;
export const COLOUR_NAMES = Object.keys(AGENT_COLOURS) as AgentColour[];

/** A colour nobody knows is drawn as the default one. */
export const cssColour = (name: string | null | undefined): string =>
  AGENT_COLOURS[(name ?? "blue") as AgentColour] ?? AGENT_COLOURS.blue;
