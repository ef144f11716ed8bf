import { useCallback, useState } from 'react';
import { FIRST_BOX } from './box.ts';
import { MarkCanvas, type MarkCanvasState } from './mark-canvas.ts';
import { listenToKeys } from './listen-keys.ts';
import type { Loaded } from './load-picture.ts';
import type { Step } from './marks.ts';

const FIRST_DIAMETER = 40;
/** A first try begins with a box that only has to be moved. */
const FIRST_STEPS: readonly Step[] = [{ kind: 'box', box: FIRST_BOX }];

type MarkCanvasUse = {
  loaded: Loaded;
  earlier: readonly Step[];
  onSay: (sentence: string) => void;
  onSteps: (steps: Step[]) => void;
};

export function useMarkCanvas({ loaded, earlier, onSay, onSteps }: MarkCanvasUse) {
  const [markCanvas, setMarkCanvas] = useState<MarkCanvas | null>(null);
  const [state, setState] = useState<MarkCanvasState | null>(null);
  const [begun] = useState(earlier.length > 0 || loaded.hasCutout ? earlier : FIRST_STEPS);
  const attach = useCallback(
    (host: HTMLDivElement | null) => {
      const canvas = host?.querySelector('canvas');
      const ring = host?.querySelector<HTMLElement>('.brush-ring');
      if (!host || !canvas || !ring) return undefined;
      const made = new MarkCanvas({
        host,
        canvas,
        ring,
        loaded,
        earlier: begun,
        tool: loaded.hasCutout ? 'keep' : 'box',
        diameter: FIRST_DIAMETER,
        onChange: setState,
        onSteps,
        onSay,
      });
      const stops = [listenToKeys(made, host, onSay), () => made.close()];
      setMarkCanvas(made);
      host.focus();
      return () => {
        for (const stop of stops) stop();
        setMarkCanvas(null);
      };
    },
    [loaded, begun, onSay, onSteps],
  );
  return { attach, markCanvas, state };
}
