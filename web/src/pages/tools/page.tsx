import { ToolOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/tools/page.texts";

export const page: PageEntry = {
  path: "/tools/*",
  to: "/tools",
  group: "work",
  order: 50,
  icon: <ToolOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/tools/View"),
};
