import { BookOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/skills/page.texts";

export const page: PageEntry = {
  path: "/skills/*",
  to: "/skills",
  group: "work",
  order: 52,
  icon: <BookOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/skills/View"),
};
