/** Where the build goes: the server serves it from its own package (vite.config.ts says the same). */
import { fileURLToPath } from "node:url";

export const STATIC = fileURLToPath(
  new URL("../../libs/dataagent-server/dataagent_server/api/console/static/", import.meta.url),
);
