import { defineTexts } from "@/i18n";

export const pageTexts = defineTexts(
  "mcp.page",
  { title: "MCP servers", hint: "Programs and addresses that give the agent more tools" },
  { title: "MCP 服务器", hint: "为智能体提供更多工具的程序和地址" },
);
