import { ownMatting } from '../src/cutout/own-matting.ts';
import { findSkill, type SkillResult } from '../src/skills/skills.ts';

export type Made = Extract<SkillResult, { file: string }>;

/** Runs a skill in this process, like a worker; its file is below `folder`. @throws Refusal */
export async function runSkill(
  name: string,
  pictures: Record<string, string>,
  folder: string,
  input: Record<string, unknown> = {},
): Promise<Made> {
  const { run } = (await findSkill(name)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${name}`);
  const result = await run({ input, pictures, folder, seed: 1, matting: ownMatting, report: async () => {} });
  if ('answer' in result) throw new Error(`${name} makes no file`);
  return result;
}
