import { DatabaseOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/data/page.texts";

export const page: PageEntry = {
  path: "/data/*",
  to: "/data",
  group: "work",
  order: 20,
  icon: <DatabaseOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/data/View"),
};
