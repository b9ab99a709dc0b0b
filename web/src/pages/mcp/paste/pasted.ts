/** A configuration as other clients write it (`mcpServers`, VS Code's `servers`), made ours. Pure. */
import type { Schemas } from "@/api/client";
import { asText, textValues } from "@/pages/mcp/form/reading";

type Create = Schemas["MCPServerCreate"];

export interface Pasted {
  servers: Create[];
  /** Settings of other clients that mean nothing here, as `server.setting`. */
  ignored: string[];
}

type Entry = Record<string, unknown>;

const KNOWN = new Set([
  "command", "args", "env", "url", "serverUrl", "httpUrl", "headers", "type", "transport",
  "disabled", "enabled", "timeout", "name",
]); // prettier-ignore
const TRANSPORTS: Record<string, Create["transport"]> = {
  stdio: "stdio",
  http: "http",
  streamablehttp: "http",
  sse: "sse",
  ws: "ws",
  websocket: "ws",
};
const TIMEOUT_S_MAX = 600;

export function readPasted(text: string): Pasted {
  const document = JSON.parse(text) as unknown;
  const entries = Object.entries(entriesIn(document));
  if (entries.length === 0) throw new SyntaxError("mcpServers");
  const ignored: string[] = [];
  const servers = entries.map(([name, entry]) => {
    if (!isEntry(entry)) throw new SyntaxError(name);
    ignored.push(...Object.keys(entry).flatMap((key) => (KNOWN.has(key) ? [] : `${name}.${key}`)));
    return server(name, entry);
  });
  return { servers, ignored };
}

/** The map of servers by name: in `mcpServers`, in `servers`, the whole text, or one server alone. */
function entriesIn(document: unknown): Entry {
  if (!isEntry(document)) throw new SyntaxError("{ }");
  const inside = [document.mcpServers, document.servers].find(isEntry);
  if (inside) return inside;
  if (isServer(document)) return { [String(document.name ?? guess(document))]: document };
  if (Object.values(document).some(isServer)) return document;
  throw new SyntaxError("mcpServers");
}

function server(name: string, entry: Entry): Create {
  const url = [entry.url, entry.serverUrl, entry.httpUrl].find((each) => typeof each === "string");
  const said = String(entry.type ?? entry.transport ?? "").replace(/[-_]/g, "").toLowerCase();
  const transport = TRANSPORTS[said];
  const timeout = Number(entry.timeout);
  return {
    name: properName(name),
    ...(url ? { url } : { command: asText(entry.command ?? "") }),
    ...(Array.isArray(entry.args) ? { args: entry.args.map(asText) } : {}),
    ...(entry.env ? { env: textValues(entry.env) } : {}),
    ...(entry.headers ? { headers: textValues(entry.headers) } : {}),
    ...(transport ? { transport } : {}),
    ...(entry.disabled === true || entry.enabled === false ? { disabled: true } : {}),
    // Some clients write milliseconds.
    ...(timeout > 0
      ? { timeout: timeout > TIMEOUT_S_MAX ? Math.ceil(timeout / 1000) : Math.ceil(timeout) }
      : {}),
  };
}

/** Names are part of tools' names: letters, digits, dots, dashes and underscores. */
const properName = (name: string): string =>
  name.trim().replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 64);

const guess = (entry: Entry): string => {
  const from = typeof entry.url === "string" ? entry.url.split("/")[2] : entry.command;
  return String(from ?? "server").split(/[\\/]/).at(-1) ?? "server";
};

const isEntry = (value: unknown): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isServer = (value: unknown): value is Entry =>
  isEntry(value) &&
  [value.command, value.url, value.serverUrl, value.httpUrl].some((each) => typeof each === "string");
