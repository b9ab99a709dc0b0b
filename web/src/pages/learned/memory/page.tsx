import { SolutionOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/learned/memory/page.texts";

export const page: PageEntry = {
  path: "/memory/*",
  to: "/memory",
  group: "work",
  order: 58,
  icon: <SolutionOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/learned/memory/View"),
};
