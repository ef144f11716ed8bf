import { cutRgb, type Box, type Point, type Rgb } from '../pixels/plane.ts';
import { findJoints } from './bodies.ts';
import { findHeads, type Head } from './heads.ts';
import { runNetwork } from './networks.ts';

export type Face = {
  /** Bounding box of the landmarks: forehead to chin, cheek to cheek; without hair and ears. */
  box: Box;
  /** 0..1, the lower of the detector's and the mesh's confidence. */
  score: number;
  /** MediaPipe's 468 landmarks, in their order. */
  points: Point[];
  /** Degrees; 0 for a frontal face. */
  yawDeg: number;
};

const MIN_SCORE = 0.5;

/**
 * Every face of the picture, the largest first. The detector misses the small head of a full figure, so it is searched
 * again at the position given by the body's joints.
 */
export async function findFaces(picture: Rgb): Promise<Face[]> {
  const found = await detectFaces(picture);
  if (found.length > 0) return found;
  const crop = await findHeadCrop(picture);
  if (!crop) return [];
  const { left, top } = crop;
  const faces = await detectFaces(cutRgb(picture, crop));
  return faces.map((face) => moveFace(face, ({ x, y }) => ({ x: x + left, y: y + top })));
}

/** Maps a face's landmarks to another picture. */
export function moveFace(face: Face, move: (point: Point) => Point): Face {
  const points = face.points.map(move);
  return { ...face, points, box: boxAround(points) };
}

/** As `findFaces`, with a single detector pass. */
export async function detectFaces(picture: Rgb): Promise<Face[]> {
  const faces: Face[] = [];
  for (const head of await findHeads(picture)) faces.push(await layMesh(picture, head));
  return faces.filter(({ score }) => score >= MIN_SCORE).sort((one, other) => other.box.width - one.box.width);
}

const MESH_SIDE = 192; // pixels: unit of its output
const DEPTH = 2 / 3; // the network's depth overestimates rotation
const [RIGHT_CHEEK, LEFT_CHEEK] = [234, 454];

async function layMesh(picture: Rgb, head: Head): Promise<Face> {
  const { read, toPicture } = await runNetwork('facemesh', picture, head.view);
  const [mesh, sure] = [read('mesh'), read('face')[0] ?? 0];
  const read3 = (n: number) =>
    [mesh[3 * n]! / MESH_SIDE, mesh[3 * n + 1]! / MESH_SIDE, mesh[3 * n + 2]! / MESH_SIDE] as const;
  const points = Array.from({ length: mesh.length / 3 }, (_, n) => {
    const [x, y] = read3(n);
    return toPicture(x, y);
  });
  const [[rx, ry, rz], [lx, ly, lz]] = [read3(RIGHT_CHEEK), read3(LEFT_CHEEK)];
  const yaw = Math.atan2((lz - rz) * DEPTH, Math.hypot(lx - rx, ly - ry));
  return { box: boxAround(points), score: Math.min(head.score, sure), points, yawDeg: (yaw * 180) / Math.PI };
}

export function boxAround(points: readonly Point[]): Box {
  const left = Math.min(...points.map(({ x }) => x));
  const top = Math.min(...points.map(({ y }) => y));
  const right = Math.max(...points.map(({ x }) => x));
  const bottom = Math.max(...points.map(({ y }) => y));
  return { left, top, width: right - left, height: bottom - top };
}

/** A square of two shoulder widths around the nose; undefined without both. */
async function findHeadCrop(picture: Rgb): Promise<Box | undefined> {
  const { nose, leftShoulder, rightShoulder } = (await findJoints(picture)) ?? {};
  if (!nose || !leftShoulder || !rightShoulder) return undefined;
  const side = 2 * Math.abs(leftShoulder.x - rightShoulder.x);
  const left = Math.max(0, Math.round(nose.x - side / 2));
  const top = Math.max(0, Math.round(nose.y - side / 2));
  const width = Math.min(picture.width - left, Math.round(side));
  const height = Math.min(picture.height - top, Math.round(side));
  return Math.min(width, height) < 48 ? undefined : { left, top, width, height };
}
