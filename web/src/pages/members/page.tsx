import { TeamOutlined } from "@ant-design/icons";
import { isAdmin } from "@/api/me";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/members/page.texts";

export const page: PageEntry = {
  path: "/members",
  group: "admin",
  order: 120,
  icon: <TeamOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/members/View"),
  allowed: isAdmin,
};
