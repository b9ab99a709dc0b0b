import { BarChartOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/usage",
  group: "work",
  order: 80,
  icon: <BarChartOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
