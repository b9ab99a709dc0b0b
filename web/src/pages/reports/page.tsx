import { FileTextOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/reports/page.texts";

export const page: PageEntry = {
  path: "/reports/*",
  to: "/reports",
  group: "work",
  order: 30,
  icon: <FileTextOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/reports/View"),
};
