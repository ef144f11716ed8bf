/**
 * `transaction()` runs its work again when Postgres broke a deadlock by choosing it, and undoes it when it throws. So
 * what has a transaction among its parameters may do nothing but ask that transaction: every call that has to be waited
 * for is given it. A file, a payment company, an engine, a pause or the database outside of it is not.
 */
export const onlyTransaction = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      outside:
        'What is waited for inside a transaction takes the transaction: it may be run again or undone. Do this before it, or after its commit.',
    },
  },
  create(context) {
    const { esTreeNodeToTSNodeMap: nodes, program } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const typeOf = (node) => checker.getTypeAtLocation(nodes.get(node));
    const isTransaction = (node) => partsOf(typeOf(node)).some(({ symbol }) => symbol?.name === 'Transaction');
    const isPromise = (node) => partsOf(typeOf(node)).some((type) => type.getProperty('then') !== undefined);
    const isGiven = (argument) =>
      argument.type === 'ObjectExpression'
        ? argument.properties.some(({ value }) => value?.type === 'CallExpression' && value.arguments.some(isGiven))
        : argument.type !== 'SpreadElement' && isTransaction(argument);
    let depth = 0;
    const enter = (node) => (depth += hasTransaction(node) ? 1 : 0);
    const leave = (node) => (depth -= hasTransaction(node) ? 1 : 0);
    const hasTransaction = (node) => node.params.some((param) => param.type === 'Identifier' && isTransaction(param));
    return {
      ':function': enter,
      ':function:exit': leave,
      CallExpression(node) {
        if (depth === 0 || !isPromise(node) || node.arguments.some(isGiven)) return;
        const { callee } = node;
        // Gathers or goes on with promises, whose own calls are looked at.
        const isOfPromise =
          callee.type === 'MemberExpression' && (isPromise(callee.object) || callee.object.name === 'Promise');
        if (!isOfPromise) context.report({ node, messageId: 'outside' });
      },
    };
  },
};

const partsOf = (type) => (type.isUnionOrIntersection() ? type.types.flatMap(partsOf) : [type]);
