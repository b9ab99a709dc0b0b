import { RobotOutlined } from "@ant-design/icons";
import { isAdmin } from "@/api/me";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/models/page.texts";

export const page: PageEntry = {
  path: "/models",
  group: "admin",
  order: 140,
  icon: <RobotOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/models/View"),
  allowed: isAdmin,
};
