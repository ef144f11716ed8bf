import { useState } from 'react';
import type { Scene } from '@plinth/contract/generations';
import { Button } from '../../ui/Button.tsx';
import { DialogFrame } from '../../ui/above/DialogFrame.tsx';
import { useMemory } from '../memory.ts';
import { SceneButton } from './SceneField.tsx';

type ScenesDialogProps = {
  scenes: readonly Scene[];
  value: string;
  onPick: (scene: Scene) => void;
  onClose: () => void;
};

export function ScenesDialog({ scenes, value, onPick, onClose }: ScenesDialogProps) {
  const [search, setSearch] = useState('');
  const found = findScenes(scenes, search);
  const lastPicked = (useMemory((memory) => memory.lastScenes) ?? []).flatMap((id) =>
    scenes.filter((scene) => scene.id === id),
  );
  const groups = groupScenes(found);
  const shown = search === '' && lastPicked.length > 0 ? [['Last picked', lastPicked] as const, ...groups] : groups;
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
                <SceneButton key={scene.id} scene={scene} value={value} onClick={() => onPick(scene)} />
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

/** A scene's search words; the first group with a matching word takes it. */
const GROUPS: readonly (readonly [name: string, words: RegExp])[] = [
  ['From above', /from above/],
  ['Seasons and feasts', /christmas|\bsnow\b|spring|autumn|valentine|confetti|birthday|new year|oktoberfest/],
  ['Wood', /wood|parquet|rattan|barn/],
  ['Stone', /marble|stone|concrete|terrazzo|brick|rock/],
  ['Outdoors', /beach|forest|grass|garden|field|dunes|sky|leaves|terrace|water\b|pool|\broad|\bstreet|pitch|lights$/],
  ['Rooms', /room|windowsill|bed|kitchen|office|library|gym|nursery|bench|banquet|hallway|desk|board/],
  ['Shops and places', /shop|boutique|bakery|roastery|gallery|cabin|cellar|dressing|jeweller|theatre/],
  ['Patterns', /dots|stripe|check|tartan|shapes|arches|honeycomb|sunburst|art deco|blueprint|leather|watercolour/],
  ['Plain and light', /studio|wall|gradient|paper|podium|silk/],
];
const REST = 'Moods and more';
/** Order on the screen: the most common uses first. */
const SHOWN_FIRST = ['Plain and light', 'Wood', 'Stone', 'Rooms', 'Seasons and feasts', 'From above'];

/** Scenes by group in the order shown; no group is empty. */
export function groupScenes(scenes: readonly Scene[]): [name: string, scenes: Scene[]][] {
  const names = new Set([...SHOWN_FIRST, ...GROUPS.map(([name]) => name), REST]);
  const groups = new Map<string, Scene[]>([...names].map((name) => [name, []]));
  for (const scene of scenes) {
    const [name = REST] = GROUPS.find(([, words]) => words.test(scene.words.toLowerCase())) ?? [];
    groups.get(name)?.push(scene);
  }
  return [...groups].filter(([, some]) => some.length > 0);
}

export function findScenes(scenes: readonly Scene[], search: string): Scene[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...scenes];
  const groupOf = new Map(groupScenes(scenes).flatMap(([name, some]) => some.map(({ id }) => [id, name] as const)));
  return scenes.filter(({ id, words }) => {
    const text = ` ${words} ${groupOf.get(id) ?? ''}`.toLowerCase();
    return wanted.every((word) => text.includes(` ${word}`));
  });
}
