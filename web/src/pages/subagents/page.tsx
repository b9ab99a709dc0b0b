import { TeamOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/subagents/page.texts";

export const page: PageEntry = {
  path: "/subagents/*",
  to: "/subagents",
  group: "work",
  order: 54,
  icon: <TeamOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/subagents/View"),
};
