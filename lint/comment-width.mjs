const MAX_COLUMN = 120;

/**
 * Limits comments to the width that the formatter gives code and prose. A changed word then changes one short line.
 */
export const commentWidth = {
  meta: { type: 'layout', schema: [], messages: { wide: `A comment ends at column ${MAX_COLUMN}.` } },
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        for (const { loc } of sourceCode.getAllComments())
          for (let line = loc.start.line; line <= loc.end.line; line += 1)
            if (sourceCode.lines[line - 1].length > MAX_COLUMN)
              context.report({ loc: { line, column: MAX_COLUMN }, messageId: 'wide' });
      },
    };
  },
};
