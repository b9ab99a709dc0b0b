/** Servers that many people use, ready to be filled in. What needs a secret says so by its name. */
import type { Schemas } from "@/api/client";

export interface Example {
  id: "time" | "fetch" | "files" | "database" | "remote" | "legacy";
  server: Schemas["MCPServerCreate"];
}

export const EXAMPLES: readonly Example[] = [
  { id: "time", server: { name: "time", command: "uvx", args: ["mcp-server-time"] } },
  {
    id: "fetch",
    server: {
      name: "fetch",
      command: "uvx",
      args: ["mcp-server-fetch"],
      network: "hosts",
      hosts: ["docs.python.org"],
    },
  },
  {
    id: "files",
    server: {
      name: "files",
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-filesystem", "${WORKSPACE}"],
      write_paths: ["${WORKSPACE}"],
    },
  },
  {
    id: "database",
    server: {
      name: "database",
      command: "uvx",
      args: ["postgres-mcp", "--access-mode=restricted"],
      env: { DATABASE_URI: "postgresql://reader:PASSWORD@db.example:5432/shop" },
      network: "hosts",
      hosts: ["db.example:5432"],
    },
  },
  {
    id: "remote",
    server: { name: "remote", transport: "http", url: "https://mcp.example/mcp" },
  },
  {
    id: "legacy",
    server: {
      name: "legacy",
      transport: "sse",
      url: "https://mcp.example/sse",
      headers: { Authorization: "Bearer TOKEN" },
    },
  },
];
