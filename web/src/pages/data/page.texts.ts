import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "data.page",
  { title: "Data", hint: "Upload a file or add a database; look, ask and draw, with or without a model" },
  { title: "数据", hint: "上传文件或添加数据库;查看、查询、绘图,有没有模型都行" },
);
