/** The form's fields: what is typed, what of a server is shown in it, what is sent. Pure. */
import type { Schemas } from "@/api/client";
import { readArgs, readPairs, writeLines, writePairs } from "@/pages/mcp/form/reading";

export type Server = Schemas["MCPServerInfo"];
type Create = Schemas["MCPServerCreate"];
export type Scope = Server["scope"];

export interface Fields {
  name: string;
  scope: Scope;
  transport: Server["transport"];
  command: string;
  args: string;
  env: string;
  url: string;
  headers: string;
  timeout: number;
  network: NonNullable<Server["network"]> | "default";
  hosts: string[];
  read_paths: string[];
  write_paths: string[];
  oauth: { client_id: string; client_secret: string; authorization_endpoint: string; token_endpoint: string; scopes: string[] };
} // prettier-ignore

const NO_OAUTH: Fields["oauth"] = {
  client_id: "",
  client_secret: "",
  authorization_endpoint: "",
  token_endpoint: "",
  scopes: [],
};

export const EMPTY_FIELDS: Fields = {
  name: "",
  scope: "user",
  transport: "stdio",
  command: "",
  args: "",
  env: "",
  url: "",
  headers: "",
  timeout: 30,
  network: "default",
  hosts: [],
  read_paths: [],
  write_paths: [],
  oauth: NO_OAUTH,
};

/** Secrets are shown as `***`, and sent back so they stay. */
export const fieldsOf = (server: Server): Fields => ({
  ...server,
  args: writeLines(server.args),
  env: writePairs(server.env),
  headers: writePairs(server.headers),
  network: server.network ?? "default",
  oauth: server.oauth ?? NO_OAUTH,
});

/** An example or a pasted server, in the form. */
export const fieldsFrom = (said: Create): Fields => ({
  ...EMPTY_FIELDS,
  name: said.name,
  transport: said.transport ?? (said.url ? "http" : "stdio"),
  command: said.command ?? "",
  url: said.url ?? "",
  args: writeLines(said.args ?? []),
  env: typeof said.env === "object" && said.env ? writePairs(said.env) : "",
  headers: typeof said.headers === "object" && said.headers ? writePairs(said.headers) : "",
  timeout: said.timeout ?? EMPTY_FIELDS.timeout,
  network: (said.network as Fields["network"] | undefined) ?? "default",
  hosts: said.hosts ?? [],
  read_paths: said.read_paths ?? [],
  write_paths: said.write_paths ?? [],
});

/** Only what belongs to the transport is sent: an old address must not stay with a program. */
export function bodyOf(fields: Fields): Create {
  const { name, transport, timeout } = fields;
  if (transport === "stdio") {
    return {
      name,
      transport,
      timeout,
      command: fields.command.trim(),
      args: readArgs(fields.args),
      env: readPairs(fields.env),
      network: fields.network,
      hosts: fields.network === "hosts" ? fields.hosts : [],
      read_paths: fields.read_paths,
      write_paths: fields.write_paths,
    };
  }
  const oauth = Object.values(fields.oauth).some((each) => each.length > 0);
  return {
    name,
    transport,
    timeout,
    url: fields.url.trim(),
    headers: readPairs(fields.headers),
    ...(oauth ? { oauth: fields.oauth } : {}),
  };
}
