/**
 * How modules of the console name each other: by the alias `@/`, so that a search finds every use and a
 * move changes one spelling; and a page never takes something from another page. What two pages share
 * is in `components`, `stream`, `api` or `app`.
 */
const pageOf = (path) => /(?:\/src|^@)\/pages\/((?:learned\/)?[^/]+)/.exec(path)?.[1];

function check(context, source) {
  const imported = source?.value;
  if (typeof imported !== "string") return;
  if (imported.startsWith(".")) {
    context.report({ node: source, message: `Write ${imported} with the alias: @/...` });
    return;
  }
  const page = pageOf(imported);
  const own = pageOf(context.filename.replaceAll("\\", "/"));
  const isShared = /\/src\/(api|components|i18n|stream)\//.test(context.filename);
  if (page && (isShared || (own && page !== own))) {
    context.report({
      node: source,
      message: `${own ? `The page ${own}` : "What pages share"} may not import the page ${page}. Move what both need to components, stream, api or app.`,
    });
  }
}

const imports = {
  create: (context) => ({
    ImportDeclaration: (node) => check(context, node.source),
    ExportNamedDeclaration: (node) => check(context, node.source),
    ExportAllDeclaration: (node) => check(context, node.source),
    ImportExpression: (node) => check(context, node.source),
  }),
};

export default { meta: { name: "console" }, rules: { imports } };
