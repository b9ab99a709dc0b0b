import { ApiOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/mcp/page.texts";

export const page: PageEntry = {
  // Not /mcp: there the server speaks MCP itself.
  path: "/mcp-servers",
  group: "work",
  order: 60,
  icon: <ApiOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/mcp/View"),
};
