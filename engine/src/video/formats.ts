/** Frame sizes in pixels, all sides even and with about the same number of pixels. */
const SIZES = { '1:1': [960, 960], '16:9': [1280, 720], '9:16': [720, 1280], '4:5': [864, 1080] } as const;

const FPS = 30;

export const ASPECT_RATIOS: readonly string[] = Object.keys(SIZES);
/** Seconds. */
export const DURATIONS: readonly string[] = ['5', '8', '12'];

/** Defaults to 16:9 and 5 seconds. The input is validated already. */
export function chooseFormat(aspectRatio = '16:9', duration = '5') {
  const [width, height] = SIZES[aspectRatio as keyof typeof SIZES];
  return { width, height, fps: FPS, seconds: Number(duration) };
}
