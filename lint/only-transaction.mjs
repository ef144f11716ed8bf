/**
 * Forbids side effects inside transactions. `transaction()` retries its callback when Postgres chose it as a deadlock
 * victim, and rolls back when it throws. A function with a transaction parameter must therefore pass that transaction
 * to every call it awaits, and must not await files, payment providers, the engine, timers or other connections.
 *
 * The rule recognizes a transaction by its name, `tx`, or by its type annotation. Resolving the types of all parameters
 * would double the time of the server's lint.
 */
export const onlyTransaction = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      outside:
        'What is waited for inside a transaction takes the transaction: it may be run again or undone. Do this before it, or after its commit.',
      misnamed: 'A transaction is named tx, and what is no transaction db: by these names the rule knows them.',
    },
  },
  create(context) {
    const { esTreeNodeToTSNodeMap: nodes, program } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const isPromise = (node) =>
      listMembers(checker.getTypeAtLocation(nodes.get(node))).some((type) => type.getProperty('then') !== undefined);
    /** Names of the transactions of each enclosing function, the innermost last. */
    const enclosing = [];
    const passesTransaction = (argument) =>
      argument.type === 'ObjectExpression'
        ? argument.properties.some(
            ({ value }) => value?.type === 'CallExpression' && value.arguments.some(passesTransaction),
          )
        : argument.type === 'Identifier' && enclosing.flat().includes(argument.name);
    const refuseName = (node) => context.report({ node, messageId: 'misnamed' });
    return {
      ':function'({ params }) {
        for (const param of params) if (isNamedType(param) && !isNamedTx(param)) refuseName(param);
        enclosing.push(params.filter((param) => isNamedTx(param) || hasType(param)).map(({ name }) => name));
      },
      ':function:exit': () => void enclosing.pop(),
      "CallExpression[callee.name='transaction'] > :function.arguments > Identifier.params:first-child"(param) {
        if (!isNamedTx(param)) refuseName(param);
      },
      "CallExpression[callee.property.name='execute'][callee.object.type='TaggedTemplateExpression'] > Identifier.arguments"(
        argument,
      ) {
        if (!isNamedTx(argument) && argument.name !== 'db') refuseName(argument);
      },
      CallExpression(node) {
        const isWithin = enclosing.some((names) => names.length > 0);
        if (!isWithin || node.arguments.some(passesTransaction) || !isPromise(node)) return;
        const { callee } = node;
        // Combines or chains promises, whose own calls are checked.
        const chainsPromise =
          callee.type === 'MemberExpression' && (isPromise(callee.object) || callee.object.name === 'Promise');
        if (!chainsPromise) context.report({ node, messageId: 'outside' });
      },
    };
  },
};

const isNamedTx = ({ name }) => name === 'tx' || name === '_tx';

/** `: Tx` */
const isNamedType = ({ typeAnnotation }) => isTx(typeAnnotation?.typeAnnotation);
/** `: Tx` or `: Db | Tx` */
const hasType = ({ typeAnnotation }) =>
  isNamedType({ typeAnnotation }) || (typeAnnotation?.typeAnnotation.types ?? []).some(isTx);
const isTx = (type) => type?.type === 'TSTypeReference' && ['Tx', 'Transaction'].includes(type.typeName.name);

const listMembers = (type) => (type.isUnionOrIntersection() ? type.types.flatMap(listMembers) : [type]);
