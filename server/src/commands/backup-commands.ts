import { resolve } from 'node:path';
import { writeDeletions } from '../platform/data/deletions.ts';
import { openArchive } from './archive.ts';
import { makeBackup } from './backup.ts';
import { onData, withLibrary } from './open.ts';
import { restoreBackup } from './restore.ts';
import type { Answer, Command, CommandInput } from './arguments.ts';

/** Exit 4: something is in the way; 5: damaged archive or other version; 1: restored, with violations. */
export const backupCommands: Command[] = [
  {
    usage: 'backup FILE',
    does: 'writes rows and files into one archive, while the product runs',
    changes: true,
    run: onData(async ({ words: [file = ''], library, databaseUrl }) => {
      const path = resolve(file);
      // Ensures that deletions until now are in storage if this archive is restored later.
      await writeDeletions(library.db, library.storage);
      const { tables, files, missing, madeAt } = await makeBackup({ library, databaseUrl, path });
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      return {
        json: { path, madeAt, rows, files: files.length, filesGone: missing.length },
        text: `${path}: ${rows} rows and ${files.length} files of ${madeAt}.`,
      };
    }),
  },
  {
    usage: 'restore FILE [--replace]',
    does: 'puts an archive in the place of an empty installation, or of this one',
    changes: true,
    run: restore,
  },
];

async function restore({ words: [file = ''], options, environment }: CommandInput): Promise<Answer> {
  const archive = await openArchive(resolve(file));
  try {
    const isReplacing = options.replace === true;
    const restored = await withLibrary(
      environment,
      ({ library, databaseUrl }) => restoreBackup({ library, databaseUrl, archive, isReplacing }),
      { mayBeNew: true },
    );
    const { rows, files, deletedAgain, generationsEnded, violations, madeAt } = restored;
    const text = [
      `Restored: ${rows} rows and ${files} files of ${madeAt}. Everybody is signed out.`,
      `${generationsEnded} generations that were on their way ended with their credits given back.`,
      `${deletedAgain} deletions made since were made again.`,
      ...(violations.length === 0 ? ['All is well.'] : violations),
    ];
    return { json: restored, text: text.join('\n'), code: violations.length === 0 ? 0 : 1 };
  } finally {
    archive.close();
  }
}
