/**
 * The row of a query is typed by hand only where the query computes something: what bears the name of a column comes
 * from the tables, which come from the migrations. So a column that is renamed or changes its type fails the type
 * check.
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
    // Declared there, or here as `Column<…>`.
    const isOfTables = ({ declarations = [] }) =>
      declarations.some((one) => one.getSourceFile() === tables || /\bColumn</.test(one.type?.getText() ?? ''));
    return {
      "TaggedTemplateExpression[tag.name='sql'][typeArguments]"(node) {
        const [row] = node.typeArguments.params;
        for (const property of checker.getTypeAtLocation(nodes.get(row)).getProperties())
          if (columns.has(property.name) && !isOfTables(property))
            context.report({ node: row, messageId: 'byHand', data: { name: property.name } });
      },
    };
  },
};
