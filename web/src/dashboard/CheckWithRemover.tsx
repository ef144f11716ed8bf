import { useNavigate } from '@tanstack/react-router';
import { checkField } from '@plinth/contract/packs';
import type { ToolId } from '@plinth/contract/tools';
import { checkImage } from '../generations/pick-photo.ts';
import { handPhoto } from '../generations/hand-photo.ts';
import { CheckScreen } from '../packs/CheckScreen.tsx';
import { say } from '../ui/above/toast.tsx';

const MENDER = 'remover' satisfies ToolId;

export function CheckWithRemover() {
  const navigate = useNavigate();
  const mend = async (picture: File) => {
    const { image, refusal } = await checkImage(picture, checkField);
    if (image === null) return void say.wrong(refusal);
    handPhoto(MENDER, { ...image, isForExport: true });
    await navigate({ to: `/dashboard/${MENDER}` });
  };
  return <CheckScreen onMend={mend} />;
}
