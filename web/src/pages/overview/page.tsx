import { AppstoreOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/overview/page.texts";

export const page: PageEntry = {
  path: "/overview",
  group: "work",
  order: 10,
  icon: <AppstoreOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/overview/View"),
};
