/** Which tools fit a search, and in which groups they stand. Pure. */
import type { Tool } from "@/pages/tools/queries";

export type Action = Tool["rule"]["action"];

export function fitting(tools: readonly Tool[], query: string, action: Action | "all"): Tool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter((tool) => {
    const text = `${tool.name} ${tool.title} ${tool.description} ${tool.source}`.toLowerCase();
    return (action === "all" || tool.rule.action === action) && words.every((word) => text.includes(word));
  });
}

/** By where they come from: what is built in first, then servers by name. */
export function grouped(tools: readonly Tool[]): [source: string, tools: Tool[]][] {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) groups.set(tool.source, [...(groups.get(tool.source) ?? []), tool]);
  const rank = (source: string) => (source === "built-in" ? 0 : source.startsWith("mcp:") ? 2 : 1);
  return [...groups].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}
