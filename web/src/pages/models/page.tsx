import { RobotOutlined } from "@ant-design/icons";
import { isAdmin } from "@/api/me";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/models",
  group: "admin",
  order: 140,
  icon: <RobotOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
  allowed: isAdmin,
};
