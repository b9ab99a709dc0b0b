import { ClockCircleOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/activity/:runId?",
  to: "/activity",
  group: "work",
  order: 70,
  icon: <ClockCircleOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};
