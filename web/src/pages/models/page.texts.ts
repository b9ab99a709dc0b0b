import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "models.page",
  { title: "Models", hint: "Providers, keys, prices, and whether they answer" },
  { title: "模型", hint: "提供商、密钥、价格以及是否可用" },
);
