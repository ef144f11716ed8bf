import { useNavigate } from '@tanstack/react-router';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import type { ImageField, Tool } from '@plinth/contract/tool';
import { checkImage } from '../generations/pick-photo.ts';
import { handPhoto } from '../generations/hand-photo.ts';
import { addFiles } from '../runs/new/useNewRun.ts';
import { Button } from '../ui/Button.tsx';
import { DialogFrame } from '../ui/above/DialogFrame.tsx';
import { plural } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { say } from '../ui/above/toast.tsx';
import { CATALOGUE_PATH, menuTools, type MenuTool } from './navigation.ts';

type UseDroppedProps = { files: readonly File[]; onClose: () => void };

export function UseDropped({ files, onClose }: UseDroppedProps) {
  const navigate = useNavigate();
  const [first, ...others] = files;
  const isOne = first !== undefined && others.length === 0;
  const goTo = async (to: string) => {
    onClose();
    await navigate({ to });
  };
  const takeToTool = async ({ id, to }: MenuTool, file: File) => {
    const tool: Tool = tools[id];
    const { image, refusal } = await checkImage(file, tool.fields[mainPictureField(tool)] as ImageField);
    if (image === null) return void say.wrong(refusal, { id: 'dropped' });
    handPhoto(id, image);
    await goTo(to);
  };
  const takeToCatalogue = async () => {
    void addFiles(files.map((file) => ({ file, path: file.name })));
    await goTo(`${CATALOGUE_PATH}/new`);
  };
  return (
    <DialogFrame
      title={isOne ? 'Use it in …' : `Use ${plural(files.length, 'photo')} in …`}
      line={isOne ? first.name : 'One catalogue takes them all.'}
      onClose={onClose}
    >
      <ul className="dropped-ways">
        {isOne &&
          menuTools.map((tool) => (
            <Way key={tool.id} icon={tool.icon} name={tool.menu} onTake={() => takeToTool(tool, first)} />
          ))}
        <Way icon="catalogue" name="Catalogue" onTake={takeToCatalogue} />
      </ul>
    </DialogFrame>
  );
}

function Way({ icon, name, onTake }: { icon: IconName; name: string; onTake: () => Promise<void> }) {
  return (
    <li>
      <Button look="borderless" icon={<Icon name={icon} />} onClick={() => void onTake()}>
        {name}
      </Button>
    </li>
  );
}
