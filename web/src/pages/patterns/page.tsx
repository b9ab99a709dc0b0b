import { BulbOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/patterns/page.texts";

export const page: PageEntry = {
  path: "/patterns/*",
  to: "/patterns",
  group: "work",
  order: 56,
  icon: <BulbOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/patterns/View"),
};
