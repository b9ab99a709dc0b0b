import { BarChartOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/usage/page.texts";

export const page: PageEntry = {
  path: "/usage",
  group: "work",
  order: 80,
  icon: <BarChartOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/usage/View"),
};
