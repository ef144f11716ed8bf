import { sentences } from '@plinth/contract/errors';
import { type Api, toApiError } from '../platform/api.ts';
import { saveBlob } from '../platform/save-file.ts';
import { say } from '../ui/toast.tsx';

export async function downloadStatement(api: Api): Promise<void> {
  const toast = { id: 'statement' };
  say.working(sentences.downloadStarting, toast.id);
  try {
    saveBlob(await api.bytes('/api/v1/credits/statement', 'text/csv'), 'plinth-credits.csv');
    say.done(sentences.downloadStarted, toast);
  } catch (error) {
    say.wrong(toApiError(error).message, toast);
  }
}
