/** How a matting network wants its pictures, told by the operator: a preset by name, single values, or both. */

export type NetworkSettings = {
  path: string;
  /** Lower-case hex; when given, a file with another hash is not used. */
  sha256?: string;
  /** Side of the square picture that goes in, in pixels; absent: as the network itself says. */
  side?: number;
  /** Per channel (R, G, B), of values 0..1: what goes in is (value - mean) / deviation. */
  mean: Triple;
  deviation: Triple;
  /** What comes out are logits. */
  hasSigmoid: boolean;
  /** What comes out is meant to be stretched so that each picture's least is 0 and most is 1. */
  isStretched: boolean;
  /** Another worker has tried this very file out: once is enough. */
  isTried?: boolean;
};

export type Triple = [number, number, number];

type Preset = Omit<NetworkSettings, 'path' | 'sha256'>;

const IMAGENET = { mean: [0.485, 0.456, 0.406] as Triple, deviation: [0.229, 0.224, 0.225] as Triple };
const CENTRED = { mean: [0.5, 0.5, 0.5] as Triple, deviation: [1, 1, 1] as Triple };

/**
 * Published inputs of well-known public networks: U²-Net (Qin et al. 2020), IS-Net (DIS, Qin et al. 2022), BiRefNet
 * (Zheng et al. 2024), and the two RMBG releases of BRIA. No weights come with this program, and the code's licence is
 * not the weights': the operator checks those (RMBG's, for one, are free for non-commercial use only).
 */
export const PRESETS: Readonly<Record<string, Preset>> = {
  u2net: { side: 320, ...IMAGENET, hasSigmoid: false, isStretched: true },
  isnet: { side: 1024, ...CENTRED, hasSigmoid: false, isStretched: true },
  birefnet: { side: 1024, ...IMAGENET, hasSigmoid: true, isStretched: false },
  'rmbg-1.4': { side: 1024, ...CENTRED, hasSigmoid: false, isStretched: true },
  'rmbg-2.0': { side: 1024, ...IMAGENET, hasSigmoid: false, isStretched: false },
};

/** Reads the ENGINE_MATTING_* settings; nothing without a model. Every fault is added to `faults`. */
export function readNetworkSettings(env: NodeJS.ProcessEnv, faults: string[]): NetworkSettings | undefined {
  const path = env['ENGINE_MATTING_MODEL'];
  if (!path) return undefined;
  const name = env['ENGINE_MATTING_PRESET'];
  const preset = name === undefined || name === '' ? undefined : findPreset(name, faults);
  const mean = readTriple(env, 'ENGINE_MATTING_MEAN', faults) ?? preset?.mean;
  const deviation = readTriple(env, 'ENGINE_MATTING_DEVIATION', faults) ?? preset?.deviation;
  const side = readSide(env, faults) ?? preset?.side;
  const sha256 = env['ENGINE_MATTING_SHA256'];
  if (sha256 && !/^[0-9a-f]{64}$/.test(sha256)) faults.push('ENGINE_MATTING_SHA256 must be 64 hexadecimal characters');
  if (deviation?.some((value) => value <= 0)) faults.push('ENGINE_MATTING_DEVIATION must be above 0');
  if (!mean || !deviation) {
    faults.push(
      'ENGINE_MATTING_MODEL needs ENGINE_MATTING_PRESET, or ENGINE_MATTING_MEAN and ENGINE_MATTING_DEVIATION',
    );
    return undefined;
  }
  return {
    path,
    ...(sha256 && { sha256 }),
    ...(side !== undefined && { side }),
    mean,
    deviation,
    hasSigmoid: readFlag(env, 'ENGINE_MATTING_SIGMOID', faults) ?? preset?.hasSigmoid ?? false,
    isStretched: readFlag(env, 'ENGINE_MATTING_STRETCH', faults) ?? preset?.isStretched ?? false,
  };
}

function findPreset(name: string, faults: string[]): Preset | undefined {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name];
  faults.push(`ENGINE_MATTING_PRESET must be one of ${Object.keys(PRESETS).join(', ')}`);
  return undefined;
}

function readTriple(env: NodeJS.ProcessEnv, name: string, faults: string[]): Triple | undefined {
  const raw = env[name];
  if (!raw) return undefined;
  const [red, green, blue, ...rest] = raw.split(',').map(Number);
  const isRight = rest.length === 0 && [red, green, blue].every((value) => Number.isFinite(value));
  if (isRight && red !== undefined && green !== undefined && blue !== undefined) return [red, green, blue];
  faults.push(`${name} must be three numbers like 0.485,0.456,0.406`);
  return undefined;
}

const LEAST_SIDE = 64;
const MOST_SIDE = 2048;

function readSide(env: NodeJS.ProcessEnv, faults: string[]): number | undefined {
  const raw = env['ENGINE_MATTING_SIZE'];
  if (!raw) return undefined;
  const side = Number(raw);
  if (Number.isInteger(side) && side >= LEAST_SIDE && side <= MOST_SIDE) return side;
  faults.push(`ENGINE_MATTING_SIZE must be a whole number from ${LEAST_SIDE} to ${MOST_SIDE}`);
  return undefined;
}

function readFlag(env: NodeJS.ProcessEnv, name: string, faults: string[]): boolean | undefined {
  const raw = env[name];
  if (!raw) return undefined;
  if (raw === 'true' || raw === 'false') return raw === 'true';
  faults.push(`${name} must be true or false`);
  return undefined;
}
