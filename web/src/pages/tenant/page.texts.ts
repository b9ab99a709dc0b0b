import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "tenant.page",
  { title: "Tenant", hint: "People, projects, use, limits and health of your organisation" },
  { title: "租户", hint: "组织的成员、项目、用量、限额与运行状况" },
);
