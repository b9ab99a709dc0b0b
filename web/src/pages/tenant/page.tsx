import { BankOutlined } from "@ant-design/icons";
import { isAdmin } from "@/api/me";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/tenant/page.texts";

export const page: PageEntry = {
  path: "/tenant",
  group: "admin",
  order: 100,
  icon: <BankOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/tenant/View"),
  allowed: isAdmin,
};
