import { expect, test } from "vitest";
import { changeLanguage, say, type Say } from "@/i18n";
import { whyAsked } from "@/pages/chat/requests/approval/why";
import { whyTexts } from "@/pages/chat/requests/approval/why.texts";

const t: Say<keyof typeof whyTexts.en> = (key, values) => say(whyTexts, key, values);

test.each([
  ["default: commands ask", "You are asked about commands unless a rule allows them."],
  ["default: write_file asks", "You are asked about write_file unless a rule allows it."],
  ["rule: ask shell 'git push *' (person)", "Your rule “shell git push *” wants you to be asked."],
  [`rule: ask write_file "/it's/**" (operator)`, "The operator's rule “write_file /it's/**” wants you to be asked."],
  ["it may be what a rule is about: deny read_file '/secret/**' (project)", "The rule “read_file /secret/**” may be about this."],
  ["asked: mcp__a__b has changed since it was allowed; look at it again", "mcp__a__b has changed since it was allowed. Look at it again."],
  [
    "fetch_url goes to a.example, which you did not name, and this conversation holds external content (from web_search).",
    "fetch_url goes to a.example, which you did not name, and this conversation holds content from outside (web_search).",
  ],
  [
    "The MCP server 'desk' wants the model to answer this in the middle of 'act', at this run's expense. The words are the server's own, and nobody has checked them; the answer goes to the server.",
    "It asks in the middle of 'act'. The words are the server's own, and nobody has checked them. The model sees them alone; its answer goes to the server, and this run pays for it.",
  ],
  ["the engine expects this query to go through about 12,000,000 rows", "The engine expects this query to go through about 12,000,000 rows."],
  ["it reads 'shop': rule: ask sql_query 'shop' (person)", "It reads shop. Your rule “sql_query shop” wants you to be asked."],
  ["asked: which program runs cannot be known", "It cannot be told beforehand what this command does: which program runs cannot be known."],
  ["something nobody knew of", "Asked because: something nobody knew of"],
])("%s", (reason, sentence) => {
  expect(whyAsked(reason, t)).toBe(sentence);
});

test("in Chinese it is a sentence as well", () => {
  changeLanguage("zh");
  expect(whyAsked("default: write_file asks", t)).toBe("除非有规则允许,使用 write_file 前都会询问你。");
  expect(whyAsked("rule: ask shell 'ls *' (person)", t)).toBe("你的规则“shell ls *”要求询问你。");
  changeLanguage("en");
});
