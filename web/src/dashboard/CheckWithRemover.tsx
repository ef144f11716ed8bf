import { useNavigate } from '@tanstack/react-router';
import { checkField } from '@plinth/contract/packs';
import type { ToolId } from '@plinth/contract/tools';
import { checkImage } from '../generations/check-image.ts';
import { putPhoto } from '../generations/pick-photo.ts';
import { CheckScreen } from '../packs/CheckScreen.tsx';
import { say } from '../ui/above/toast.tsx';

const MENDER = { toolId: 'remover' satisfies ToolId, field: 'image' } as const;

export function CheckWithRemover() {
  const navigate = useNavigate();
  const mend = async (picture: File) => {
    const { image, refusal } = await checkImage(picture, checkField);
    if (image === null) return void say.wrong(refusal);
    putPhoto(MENDER.toolId, MENDER.field, image);
    await navigate({ to: `/dashboard/${MENDER.toolId}` });
  };
  return <CheckScreen onMend={mend} />;
}
