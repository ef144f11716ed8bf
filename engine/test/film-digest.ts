/** Prints the SHA-256 of a short film that uses everything that could vary between runs. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFilm } from '../src/video/film.ts';
import { buildSet, writeScript } from '../quality/films.ts';

const folder = await mkdtemp(join(tmpdir(), 'engine-video-'));
try {
  const { stage } = await buildSet('mug', { width: 256, height: 256 });
  const script = writeScript(stage, 30, 'orbit with snow, leaves, sparkles and a light sweep');
  const film = await makeFilm({ stage, script, fps: 30 }, join(folder, 'film.mp4'), async () => {});
  process.stdout.write(
    `${createHash('sha256')
      .update(await readFile(film))
      .digest('hex')}\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
