/**
 * Requires the types of query rows to come from the table types, which are generated from the migrations. Only computed
 * values may be typed by hand. A renamed or retyped column then fails the type check.
 */
export const checkedRows = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      byHand:
        "`{{ name }}` is a column: take its type from the migrations, as Row<'table', '{{ name }}'> (platform/data/rows.ts).",
    },
  },
  create(context) {
    const { esTreeNodeToTSNodeMap: nodes, program } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const tables = program.getSourceFiles().find(({ fileName }) => fileName.endsWith('/tables.d.ts'));
    const columns = new Set();
    for (const { name, members = [] } of tables?.statements ?? [])
      if (name?.text !== 'DB') for (const member of members) columns.add(member.name.text);
    // Declared in the table types, or in this file as `Column<…>`.
    const isFromTables = ({ declarations = [] }) =>
      declarations.some((one) => one.getSourceFile() === tables || /\bColumn</.test(one.type?.getText() ?? ''));
    return {
      "TaggedTemplateExpression[tag.name='sql'][typeArguments]"(node) {
        const [row] = node.typeArguments.params;
        for (const property of checker.getTypeAtLocation(nodes.get(row)).getProperties())
          if (columns.has(property.name) && !isFromTables(property))
            context.report({ node: row, messageId: 'byHand', data: { name: property.name } });
      },
    };
  },
};
