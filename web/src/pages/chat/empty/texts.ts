import { defineTexts } from "@/i18n";

export const emptyTexts = defineTexts(
  "chat.empty",
  {
    title: "Ask your data",
    what: "The agent looks at your tables and files, writes and runs the queries, and shows where every figure comes from. It asks before it changes anything.",
    sample: "Try it with the sample shop",
    sample_hint: "A made-up shop with a year of orders. One click asks this:",
    // Word for word what the built-in demo answers.
    sample_question: "Which product categories of our shop earned most in 2025, and how did revenue go month by month? Draw a chart, write a report I can send on, and a short note in /note.md.",
    own: "Use your own data",
    own_hint: "Drop a CSV, Excel or Parquet file here, or add a data source.",
    own_do: "Go to the data",
    no_model: "No model is configured: the built-in demo plays the sample question and answers nothing else.",
    no_model_admin: "Add a model",
    no_model_member: "Ask an administrator to add one.",
    no_model_data: "Work with the data without a model",
    session_empty: "Nothing has been said here yet.",
  },
  {
    title: "询问你的数据",
    what: "智能体会查看你的表和文件,编写并运行查询,并说明每个数字的来源。更改任何内容之前都会先询问你。",
    sample: "用示例商店试一试",
    sample_hint: "一个虚构的商店,含一年的订单。点击即可提问:",
    sample_question: "我们商店 2025 年哪些商品类别收入最高,各月收入走势如何?请画一张图表,写一份可以转发的报告,并在 /note.md 中写一条简短的笔记。",
    own: "使用你自己的数据",
    own_hint: "将 CSV、Excel 或 Parquet 文件拖放到此处,或添加数据源。",
    own_do: "前往数据",
    no_model: "尚未配置模型:内置演示只能回答示例问题。",
    no_model_admin: "添加模型",
    no_model_member: "请联系管理员添加模型。",
    no_model_data: "不用模型直接处理数据",
    session_empty: "这里还没有任何内容。",
  },
);
