import { useState } from 'react';
import type { Scene } from '@plinth/contract/generations';
import { Button } from '../../ui/Button.tsx';
import { DialogFrame } from '../../ui/DialogFrame.tsx';
import { useMemory } from '../memory.ts';
import { findScenes, groupScenes } from './scene-groups.ts';
import { SceneButton } from './SceneStrip.tsx';
import { isSceneOf } from './useScenes.ts';

type ScenesDialogProps = {
  scenes: readonly Scene[];
  value: string;
  onPick: (scene: Scene) => void;
  onClose: () => void;
};

export function ScenesDialog({ scenes, value, onPick, onClose }: ScenesDialogProps) {
  const [search, setSearch] = useState('');
  const found = findScenes(scenes, search);
  const lastUsed = useMemory((memory) => memory.lastScenes).flatMap((id) => scenes.filter((scene) => scene.id === id));
  const groups = groupScenes(found);
  const shown = search === '' && lastUsed.length > 0 ? [['Last used', lastUsed] as const, ...groups] : groups;
  const find = (
    <input
      className="input"
      type="search"
      placeholder="Wood, snow, from above …"
      aria-label="Search scenes"
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
    />
  );
  return (
    <DialogFrame className="scenes-dialog" title="Scenes" head={find} onClose={onClose}>
      <div className="scenes-groups stack">
        {shown.map(([name, some]) => (
          <section key={name} className="field" aria-label={name}>
            <h3 className="caption">{name}</h3>
            <div className="all-scenes">
              {some.map((scene) => (
                <SceneButton
                  key={scene.id}
                  scene={scene}
                  isChosen={isSceneOf(value, scene)}
                  onPick={() => onPick(scene)}
                />
              ))}
            </div>
          </section>
        ))}
        {groups.length === 0 && (
          <p className="small">
            No scene has these words. Describe it in your own: <b>{search}</b>{' '}
            <Button look="borderless" onClick={() => setSearch('')}>
              Show all
            </Button>
          </p>
        )}
      </div>
    </DialogFrame>
  );
}
