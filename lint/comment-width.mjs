const MOST = 120;

/**
 * Limits comments to the width that the formatter gives code and prose. A changed word then changes one short line.
 */
export const commentWidth = {
  meta: { type: 'layout', schema: [], messages: { wide: `A comment ends at column ${MOST}.` } },
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        for (const { loc } of sourceCode.getAllComments())
          for (let line = loc.start.line; line <= loc.end.line; line += 1)
            if (sourceCode.lines[line - 1].length > MOST)
              context.report({ loc: { line, column: MOST }, messageId: 'wide' });
      },
    };
  },
};
