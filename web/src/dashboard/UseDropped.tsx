import { useNavigate } from '@tanstack/react-router';
import { mainPictureField } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import type { ImageField, Tool } from '@plinth/contract/tool';
import { checkImage } from '../generations/check-image.ts';
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
  const [first, ...others] = files;
  const isOne = first !== undefined && others.length === 0;
  return (
    <DialogFrame
      title={isOne ? 'Use it in …' : `Use ${plural(files.length, 'photo')} in …`}
      line={isOne ? first.name : 'One catalogue takes them all.'}
      onClose={onClose}
    >
      <ul className="dropped-ways">
        {isOne && menuTools.map((tool) => <ToolOption key={tool.id} tool={tool} file={first} onClose={onClose} />)}
        <CatalogueOption files={files} onClose={onClose} />
      </ul>
    </DialogFrame>
  );
}

type ToolOptionProps = { tool: MenuTool; file: File; onClose: () => void };

function ToolOption({ tool: { id, to, menu, icon }, file, onClose }: ToolOptionProps) {
  const navigate = useNavigate();
  const tool: Tool = tools[id];
  const use = async () => {
    const { image, refusal } = await checkImage(file, tool.fields[mainPictureField(tool)] as ImageField);
    if (image === null) return void say.wrong(refusal, { id: 'dropped' });
    handPhoto(id, image);
    onClose();
    await navigate({ to });
  };
  return <Option icon={icon} name={menu} onUse={use} />;
}

function CatalogueOption({ files, onClose }: UseDroppedProps) {
  const navigate = useNavigate();
  const use = async () => {
    await addFiles(files.map((file) => ({ file, path: file.name })));
    onClose();
    await navigate({ to: `${CATALOGUE_PATH}/new` });
  };
  return <Option icon="catalogue" name="Catalogue" onUse={use} />;
}

type OptionProps = { icon: IconName; name: string; onUse: () => Promise<void> };

function Option({ icon, name, onUse }: OptionProps) {
  return (
    <li>
      <Button look="borderless" icon={<Icon name={icon} />} onClick={() => void onUse()}>
        {name}
      </Button>
    </li>
  );
}
