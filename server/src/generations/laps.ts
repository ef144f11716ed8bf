/** How long each part of a piece of work took, in whole milliseconds, in the order of their ends. */
export type Laps = { end: (part: string) => void; read: () => Record<string, number> };

/** Starts the watch; each `end` is the end of one part and the beginning of the next. */
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
