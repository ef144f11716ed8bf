import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Verdict, verifyStatement } from '../credits/verify-statement.ts';
import type { Command } from './arguments.ts';

const EXIT_CODES = { whole: 0, broken: 1, 'not a statement': 2 } as const satisfies Record<Verdict['state'], number>;

/** Needs neither settings nor database: verifies a statement of any installation. */
export const statementCommand: Command = {
  usage: 'verify-statement FILE',
  does: 'recomputes the hashes and balances of a statement of credits',
  run: async ({ words: [file = ''] }) => {
    const verdict = verifyStatement(readText(resolve(file)));
    return { json: verdict, text: toText(verdict), code: EXIT_CODES[verdict.state] };
  },
};

/** An unreadable file is reported as no statement. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function toText(verdict: Verdict): string {
  switch (verdict.state) {
    case 'whole':
      return `Whole, with ${verdict.lines} lines and a balance of ${verdict.balance}.`;
    case 'broken':
      return `Broken at line ${verdict.line}${verdict.row === null ? '' : ` (row ${verdict.row} of the file)`}: ${verdict.says}.`;
    case 'not a statement':
      return 'No statement of credits can be read from this file.';
  }
}
