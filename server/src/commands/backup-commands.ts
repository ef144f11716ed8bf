import { resolve } from 'node:path';
import { writeDeletions } from '../platform/data/deletions.ts';
import { openArchive } from './archive.ts';
import { makeBackup } from './backup.ts';
import { withLibrary } from './open.ts';
import { restoreBackup } from './restore.ts';
import type { Command, Given } from './arguments.ts';

/** Exit 4: something is in the way; 5: the archive is damaged or of another version; 1: restored, with violations. */
export const backupCommands: Command[] = [
  {
    name: 'backup',
    changes: true,
    words: 1,
    usage: [['backup FILE [--json]', 'writes rows and files into one archive, while the product runs']],
    run: ({ words: [file = ''], print, environment }) =>
      withLibrary(environment, async ({ library, databaseUrl }) => {
        const path = resolve(file);
        // What was deleted until now is in the storage for sure when somebody restores this archive later.
        await writeDeletions(library.db, library.storage);
        const { tables, files, missing, madeAt } = await makeBackup({ library, databaseUrl, path });
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        const said = { path, madeAt, rows, files: files.length, filesGone: missing.length };
        print(said, `${path}: ${rows} rows and ${files.length} files of ${madeAt}.`);
        return 0;
      }),
  },
  {
    name: 'restore',
    changes: true,
    words: 1,
    takes: ['replace'],
    usage: [
      ['restore FILE [--replace] [--json]', 'puts an archive in the place of an empty installation, or of this one'],
    ],
    run: restore,
  },
];

async function restore({ words: [file = ''], options, print, environment }: Given): Promise<number> {
  const archive = await openArchive(resolve(file));
  try {
    const isReplacing = options.replace === true;
    return await withLibrary(
      environment,
      async ({ library, databaseUrl }) => {
        const restored = await restoreBackup({ library, databaseUrl, archive, isReplacing });
        const { rows, files, deletedAgain, generationsEnded, violations, madeAt } = restored;
        const text = [
          `Restored: ${rows} rows and ${files} files of ${madeAt}. Everybody is signed out.`,
          `${generationsEnded} generations that were on their way ended with their credits given back.`,
          `${deletedAgain} deletions made since were made again.`,
          ...(violations.length === 0 ? ['All is well.'] : violations),
        ];
        print(restored, text.join('\n'));
        return violations.length === 0 ? 0 : 1;
      },
      { mayBeNew: true },
    );
  } finally {
    archive.close();
  }
}
