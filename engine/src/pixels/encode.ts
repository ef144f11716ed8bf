import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/** One result picture as the wire names it; `local_path` is replaced by a url when the engine serves it. */
export interface PictureFile {
  local_path: string;
  content_type: string;
  file_name: string;
  file_size: number;
  width: number;
  height: number;
}

/** Writes a PNG without any metadata of the upload. */
export async function savePng(
  folder: string,
  name: string,
  raw: { data: Uint8Array; width: number; height: number; channels: 3 | 4 },
): Promise<PictureFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const { width, height, channels } = raw;
  await sharp(raw.data, { raw: { width, height, channels } }).png({ compressionLevel: 6 }).toFile(path);
  const { size } = await stat(path);
  return { local_path: path, content_type: 'image/png', file_name: name, file_size: size, width, height };
}
