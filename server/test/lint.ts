import { join } from 'node:path';
import { ESLint } from 'eslint';

const ROOT = join(import.meta.dirname, '..', '..');

/** Lints a file as if it were in `generations`, by the repository's own configuration. */
export async function findBrokenRules(text: string): Promise<string[]> {
  const eslint = new ESLint({ cwd: ROOT, overrideConfig: { rules: { '@typescript-eslint/no-unused-vars': 'off' } } });
  const [result] = await eslint.lintText(text, { filePath: join(ROOT, 'server/src/generations/revive.ts') });
  return result?.messages.map(({ ruleId, message }) => ruleId ?? message) ?? [];
}
