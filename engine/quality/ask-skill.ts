import { ownMatting } from '../src/cutout/own-matting.ts';
import { findSkill, type SkillResult } from '../src/skills/skills.ts';

/** Runs a skill in this process, as a worker would, with files below `folder`. @throws FieldProblem when it refuses */
export async function askSkill(
  app: string,
  pictures: Record<string, string>,
  folder: string,
  input: Record<string, unknown> = {},
): Promise<SkillResult> {
  const { run } = (await findSkill(app)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${app}`);
  return run({ input, pictures, folder, seed: 1, matting: ownMatting, report: async () => {} });
}
