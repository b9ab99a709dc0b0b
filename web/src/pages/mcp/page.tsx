import { ApiOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  // Not /mcp: there the server speaks MCP itself.
  path: "/mcp-servers",
  group: "work",
  order: 60,
  icon: <ApiOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
