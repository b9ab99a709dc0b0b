import { BankOutlined } from "@ant-design/icons";
import { isAdmin } from "@/api/me";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/tenant",
  group: "admin",
  order: 100,
  icon: <BankOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
  allowed: isAdmin,
};
