import { createReadStream } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { newToken } from '../ids.ts';
import type { Storage, StoredObject } from './storage.ts';

/** Storage in a folder. Files are written to a temporary name, flushed, then renamed, and the folder is flushed. */
export function openDiskStorage(folder: string): Storage {
  const toPath = (key: string) => join(folder, ...key.split('/'));
  return {
    put: async (key, content) => {
      const path = toPath(key);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const partial = `${path}.${newToken()}.partial`;
      try {
        await writeFile(partial, content, { flag: 'wx', mode: 0o600, flush: true });
        await rename(partial, path);
        await flushFolders(dirname(path), dirname(made ?? path));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    read: async (key, range) => {
      const path = toPath(key);
      const found = await stat(path).catch(ignoreMissing);
      return found?.isFile() === true ? createReadStream(path, range ?? {}) : undefined;
    },
    readWhole: async (key) => readFile(toPath(key)).catch(ignoreMissing),
    remove: async (key) => {
      await unlink(toPath(key)).catch(ignoreMissing);
    },
    list: () => listFolder(folder),
    check: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
    },
  };
}

/** Flushes a folder and its parents up to `last`, so that the names of new files survive a power cut. */
async function flushFolders(folder: string, last: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } catch (error) {
    // Some network drives cannot flush a folder.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    await handle.close();
  }
  if (folder !== last) await flushFolders(dirname(folder), last);
}

async function* listFolder(folder: string): AsyncIterable<StoredObject> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  for (const entry of entries ?? []) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path).catch(ignoreMissing);
    if (found === undefined) continue;
    yield { key: relative(folder, path).split(sep).join('/'), changedAt: found.mtime };
  }
}

/** A missing file is no error. An unreadable one is: it must not count as deleted. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
