import { BulbOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/learned/patterns/page.texts";

export const page: PageEntry = {
  path: "/patterns/*",
  to: "/patterns",
  group: "work",
  order: 56,
  icon: <BulbOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/learned/patterns/View"),
};
