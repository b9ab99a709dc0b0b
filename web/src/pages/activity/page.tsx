import { ClockCircleOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/activity/page.texts";

export const page: PageEntry = {
  path: "/activity/:runId?",
  to: "/activity",
  group: "work",
  order: 70,
  icon: <ClockCircleOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/activity/View"),
};
