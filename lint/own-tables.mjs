/**
 * Enforces table ownership: only the room that owns a table may write it, and the table of arrows lists who may read
 * it. Table names must be literal, because the rule cannot check computed ones and reports them.
 */
export const ownTables = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      written: '{{ table }} is written by the room {{ owner }} only: call a function of it.',
      read: '{{ table }} belongs to {{ owner }}, to which no arrow leads from {{ room }}: ask it, or read a view of it.',
      unknown: '{{ table }} has no owner: name one in the table of tables (eslint.config.js).',
      unreadable: 'Nobody can read here which table this is: write its name into the statement.',
      unseen: 'Whose tables these are is read in sql`…` alone: only {{ rooms }} may send another statement.',
      hidden: 'What stands in {{ name }} is read by nobody: write the statement as sql`…`.',
    },
  },
  create(context) {
    const [{ owners, rooms, open }] = context.options;
    const [, path = ''] = /server\/src\/(.*)$/.exec(context.filename.replaceAll('\\', '/')) ?? [];
    const room = path.includes('/') ? path.split('/')[0] : 'the top';
    const mayRead = (owner) =>
      owner === room || open.includes(owner) || !Array.isArray(rooms[room]) || rooms[room].includes(owner);
    return {
      "TaggedTemplateExpression[tag.name='sql']"(node) {
        for (const { table, isWritten } of listTables(
          node.quasi.quasis.map(({ value }) => value.raw).join(PLACEHOLDER),
        )) {
          const owner = Object.hasOwn(owners, table) ? owners[table] : undefined;
          const report = (messageId) => context.report({ node, messageId, data: { table, owner, room } });
          if (table === PLACEHOLDER) report('unreadable');
          else if (owner === undefined) report('unknown');
          else if (isWritten && owner !== room) report('written');
          else if (!mayRead(owner)) report('read');
        }
      },
      [`CallExpression[callee.property.name=/^(${QUERY_BUILDERS.join('|')})$/]`](node) {
        context.report({ node, messageId: 'hidden', data: { name: node.callee.property.name } });
      },
      "ImportSpecifier[imported.name='sql'][local.name!='sql']"(node) {
        context.report({ node, messageId: 'hidden', data: { name: node.local.name } });
      },
      "CallExpression[callee.object.name='sql'][callee.property.name='raw']"(node) {
        if (!RAW_SQL_ROOMS.includes(room)) context.report({ node, messageId: 'hidden', data: { name: 'sql.raw' } });
      },
      "CallExpression[callee.property.name='query'][arguments.length>0]"(node) {
        if (!RAW_SQL_ROOMS.includes(room))
          context.report({ node, messageId: 'unseen', data: { rooms: RAW_SQL_ROOMS.join(' and ') } });
      },
    };
  },
};

/** Rooms that use the whole database: connections, migrations, backups. */
const RAW_SQL_ROOMS = ['platform', 'commands'];

/** Kysely's query builder methods. The rule cannot read table names in them. */
const QUERY_BUILDERS = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto'];

/** Placeholder for an interpolated value. */
const PLACEHOLDER = '\u0001';
const NAME = `(?:[a-z_][\\w.]*|"[^"]+"|${PLACEHOLDER})`;
const WRITES = 'insert\\s+into|merge\\s+into|delete\\s+from|truncate|lock|copy|update';
const TABLE = new RegExp(
  `\\b(${WRITES}|from|join|using)\\s+(?:table\\s+|only\\s+|lateral\\s+)*(${NAME})(\\s*\\()?`,
  'gi',
);
/** Contexts that no table name follows: locks, conflicts, and functions with a `from` of their own. */
const NO_TABLE = /(\bfor( no key)?|\bdo|\bdistinct|\b(extract|substring|trim|overlay)\s*\([^()]*)\s*$/i;
const SYSTEM = /^(pg_|information_schema\.)/;
/** The next table of the same list. */
const NEXT = new RegExp(`^(?:\\s+(?:as\\s+)?[a-z_]\\w*)?\\s*,\\s*(?:lateral\\s+)?(${NAME})(\\s*\\()?`, 'i');

/** Lists every table in a statement, except its own common table expressions. */
function listTables(text) {
  const statement = text.replaceAll(/--[^\n]*/g, '').replaceAll(/'(?:[^']|'')*'/g, "''");
  const own = new Set(
    [...statement.matchAll(/(\w+)\s*(?:\([^()]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/gi)].map(
      ([, name]) => name,
    ),
  );
  const found = [];
  for (const { index, 0: whole, 1: verb, 2: name, 3: isCall } of statement.matchAll(TABLE)) {
    if (NO_TABLE.test(statement.slice(0, index)) || /^(set|skip|of)$/i.test(name)) continue;
    const isWritten = !/^(from|join|using)$/i.test(verb);
    add(name.replaceAll('"', ''), isWritten, isCall);
    if (!/^(from|using)$/i.test(verb)) continue;
    for (
      let rest = statement.slice(index + whole.length), next = NEXT.exec(rest);
      next !== null;
      next = NEXT.exec(rest)
    ) {
      add(next[1].replaceAll('"', ''), false, next[2]);
      rest = rest.slice(next[0].length);
    }
  }
  return found;

  function add(table, isWritten, isCall) {
    // A column list may follow a written table. Otherwise parentheses belong to a function.
    if ((isCall !== undefined && !isWritten) || own.has(table) || SYSTEM.test(table)) return;
    found.push({ table, isWritten });
  }
}
