import { ownMatting } from '../src/cutout/own-matting.ts';
import { findSkill } from '../src/skills/skills.ts';

/** Runs a skill in this process, like a worker, and returns the path of its result below `folder`. @throws Refusal */
export async function runSkill(
  name: string,
  pictures: Record<string, string>,
  folder: string,
  input: Record<string, unknown> = {},
): Promise<string> {
  const { run } = (await findSkill(name)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${name}`);
  const result = await run({ input, pictures, folder, seed: 1, matting: ownMatting, report: async () => {} });
  if ('answer' in result) throw new Error(`${name} makes no file`);
  return result.file;
}
