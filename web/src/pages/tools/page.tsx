import { ToolOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/tools",
  group: "work",
  order: 50,
  icon: <ToolOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
