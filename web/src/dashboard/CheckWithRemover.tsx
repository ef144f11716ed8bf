import { useNavigate } from '@tanstack/react-router';
import { checkField } from '@plinth/contract/packs';
import { tools, type ToolId } from '@plinth/contract/tools';
import { PhotoSuggestions } from '../generations/form/PhotoSuggestions.tsx';
import { checkImage } from '../generations/pick-photo.ts';
import { handPhoto } from '../generations/hand-photo.ts';
import { CheckScreen } from '../packs/CheckScreen.tsx';
import { say } from '../ui/above/toast.tsx';

const MENDER = 'remover' satisfies ToolId;
const FIELD = { ...checkField, samples: tools[MENDER].fields.image.samples };

export function CheckWithRemover() {
  const navigate = useNavigate();
  const mend = async (picture: File) => {
    const { image, refusal } = await checkImage(picture, checkField);
    if (image === null) return void say.wrong(refusal);
    handPhoto(MENDER, { ...image, isForExport: true });
    await navigate({ to: `/dashboard/${MENDER}` });
  };
  return (
    <CheckScreen
      onMend={mend}
      suggest={(onFile) => <PhotoSuggestions field={FIELD} isLocked={false} onFile={onFile} />}
    />
  );
}
