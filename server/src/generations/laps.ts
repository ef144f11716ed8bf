/** Duration of each step in whole milliseconds, in order of completion. */
export type Laps = { end: (part: string) => void; read: () => Record<string, number> };

/** Starts timing; each `end` ends one step and starts the next. */
export function startLaps(): Laps {
  const parts: Record<string, number> = {};
  let beganAt = performance.now();
  return {
    end: (part) => {
      const now = performance.now();
      parts[`${part}Ms`] = Math.round(now - beganAt);
      beganAt = now;
    },
    read: () => parts,
  };
}
