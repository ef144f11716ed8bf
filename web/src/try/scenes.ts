export const SCENE_SIDE = 1536;

/** Two of the engine's scenes; values equal those in its `plates.json`. */
export const scenes = [
  {
    id: 'marble-podium',
    name: 'On marble',
    words: 'white marble podium, soft light',
    stand: { x: 768, y: 1136.6, maxWidth: 952, maxHeight: 922 },
  },
  {
    id: 'morning-table',
    name: 'On a table',
    words: 'wooden table, morning light',
    stand: { x: 768, y: 1182.7, maxWidth: 952, maxHeight: 922 },
  },
] as const;
