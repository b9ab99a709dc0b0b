/** Colours of code, loaded when the first code block is seen. Prism's grammars, as a tree of spans. */
import { createElement, type ReactNode } from "react";
import bash from "refractor/bash";
import { refractor } from "refractor/core";
import diff from "refractor/diff";
import json from "refractor/json";
import markdown from "refractor/markdown";
import python from "refractor/python";
import sql from "refractor/sql";
import typescript from "refractor/typescript";
import yaml from "refractor/yaml";

for (const language of [bash, diff, json, markdown, python, sql, typescript, yaml]) {
  refractor.register(language);
}

type Node = ReturnType<typeof refractor.highlight>["children"][number];

/** Null where the language is not known. */
export function highlight(text: string, language: string): ReactNode[] | null {
  if (!refractor.registered(language)) return null;
  return refractor.highlight(text, language).children.map(element);
}

function element(node: Node, key: number): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const names = node.properties.className;
  return createElement(
    "span",
    { key, className: Array.isArray(names) ? names.join(" ") : undefined },
    node.children.map(element),
  );
}
