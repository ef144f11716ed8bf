import { generationSchema, isTerminal, type Generation } from '@plinth/contract/generations';
import { isGuide, mainPictureField } from '@plinth/contract/tool-fields';
import type { Tool } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { useCreditHolds } from '../credits/useCredits.ts';
import { ApiError, isSessionOver, toApiError } from '../platform/api.ts';
import { isUnanswered } from '../platform/unanswered.ts';
import { useApi } from '../platform/useApi.ts';
import { say } from '../ui/toast.tsx';
import { findWrong, isPicture, pictureOf, priceOf, type Draft } from './drafts.ts';
import { hasSamePictures, printForm, VERSION, type FormPrint } from './form-print.ts';
import {
  changeStage,
  changeTool,
  readTool,
  rememberMarks,
  rememberUpload,
  speakOf,
  useMemory,
  type Attempt,
  type Refusal,
  type Stage,
} from './memory.ts';
import { putGeneration, readFollowed } from './useFollowed.ts';
import { useServedTool } from './useTools.ts';
import { FIRST, nextPress } from './versions.ts';

const SECOND_TIME_MS = 2000;
/** After this nobody expects any more that versions of a press are sent, and paid. */
const EXPECTED_MS = 10 * 60_000;

/**
 * Sends a tool's form: held in the balance, sent, and on the stage; or refused, beside the form and aloud. The other
 * versions of a press follow once its first was accepted; `sendRest` goes on with them after a reload, for a while.
 */
export function useSubmit(toolId: ToolId, tool: Tool) {
  const { send, expectCredits } = useSend(toolId, tool);
  const sendRest = (draft: Draft) => sendOthers(toolId, tool, draft, send);
  const submit = async (draft: Draft): Promise<void> => {
    // Two quick presses both come before the first is drawn.
    if (isBusy(toolId)) return;
    const wrong = findWrong(tool, draft);
    if (wrong !== null) return refuse(toolId, wrong, `refused-${toolId}`);
    const { stage } = readTool(toolId);
    const pressedAt = Date.now();
    const attempt = nextAttempt(stage.attempt, tool, draft);
    const [first, ...rest] = nextPress(tool, draft, { stage, followed: readFollowed() }).variants;
    const stopping = new AbortController();
    const tell = (bytes: { sent: number; total: number } | null) =>
      changeTool(toolId, { sending: { bytes, stop: () => stopping.abort() } });
    changeTool(toolId, { refusal: null });
    tell(null);
    try {
      // What is left could be enough for the first alone; one without an answer may have been paid already.
      if (rest.length > 0 && attempt !== stage.attempt) await expectCredits(priceOf(tool, draft) * (1 + rest.length));
      changeStage(toolId, { attempt });
      const accepted = await send(draft, attempt, first, {
        signal: stopping.signal,
        onSent: (sent, total) => tell(sent < total ? { sent, total } : null),
      });
      accept(tool, accepted, { ...attempt, rest, pressedAt }, draft, first);
    } catch (cause) {
      changeTool(toolId, { sending: null });
      // What its person stopped keeps its key, too: should it have been taken all the same, nothing is paid twice.
      if (stopping.signal.aborted) return;
      const error = toApiError(cause);
      if (!isUnanswered(error)) changeStage(toolId, { attempt: null });
      if (isSessionOver(error)) return;
      return refuse(toolId, explain(error, tool), attempt.key, error.code === 'insufficient_credits');
    }
    await sendRest(draft);
  };
  return { submit, sendRest };
}

/** One after the other: what refuses one would refuse the next. */
async function sendOthers(toolId: ToolId, tool: Tool, draft: Draft, send: Send): Promise<void> {
  const { attempt } = readTool(toolId).stage;
  if (attempt === null) return;
  const isExpected = Date.now() - (attempt.pressedAt ?? 0) < EXPECTED_MS;
  if (!isExpected || nextAttempt(attempt, tool, draft) !== attempt) return giveUpRest(toolId, tool, attempt, null);
  changeTool(toolId, { sending: 'rest' });
  // Not when somebody signed out meanwhile: what stands here then is another person's.
  const findOwn = () => {
    const now = readTool(toolId).stage.attempt;
    return now?.key === attempt.key ? now : null;
  };
  for (const version of attempt.rest) {
    try {
      const accepted = await sendTwice(
        () => send(draft, attempt, version),
        () => findOwn() !== null,
      );
      const own = findOwn();
      if (own === null) return;
      accept(tool, accepted, own, draft, version);
    } catch (cause) {
      const error = toApiError(cause);
      if (findOwn() === null || isSessionOver(error)) return;
      return giveUpRest(toolId, tool, attempt, error);
    }
  }
}

/**
 * Asks once more where no answer came. A page that is being left has none either: it is gone before this gives up, and
 * the next page goes on.
 */
async function sendTwice(send: () => Promise<Generation>, isStillOwn: () => boolean): Promise<Generation> {
  try {
    return await send();
  } catch (cause) {
    if (!isUnanswered(toApiError(cause))) throw cause;
    await new Promise((resolve) => setTimeout(resolve, SECOND_TIME_MS));
    if (!isStillOwn()) throw cause;
    return send();
  }
}

type Sending = { signal: AbortSignal; onSent: (sent: number, total: number) => void };
type Send = (draft: Draft, attempt: Attempt, version?: string, sending?: Sending) => Promise<Generation>;

function useSend(toolId: ToolId, tool: Tool) {
  const api = useApi();
  const credits = useCreditHolds();
  const { entry } = useServedTool(toolId);
  const takes = entry?.fields.map(({ name }) => name);
  const send: Send = async (draft, attempt, version = FIRST, sending) => {
    const idempotencyKey = keyOf(attempt, version);
    const form = makeForm(tool, draft, takes, version);
    credits.hold(priceOf(tool, draft));
    try {
      const sent = { method: 'POST', form, idempotencyKey, ...sending };
      return await api.send(`/api/v1/tools/${toolId}/generations`, generationSchema, sent);
    } finally {
      void credits.settle();
    }
  };
  const expectCredits = async (cost: number): Promise<void> => {
    // Where the balance cannot be read, the server decides.
    const left = await credits.ask().catch(() => Infinity);
    if (left < cost) throw new ApiError('insufficient_credits', tool.says.poor, { status: 402 });
  };
  return { send, expectCredits };
}

function isBusy(toolId: ToolId): boolean {
  const { sending, stage } = readTool(toolId);
  return sending !== null || readFollowed().some(({ id, status }) => id === stage.shown && !isTerminal(status));
}

/** The same form sent again without an answer keeps its key, also after a reload, so that nothing is paid twice. */
export function nextAttempt(last: Attempt | null, tool: Tool, draft: Draft): Attempt {
  const dates = Object.values(draft)
    .filter(isPicture)
    .map(({ file }) => file.lastModified);
  const form = JSON.stringify([printForm(tool, draft), dates]);
  return last?.form === form ? last : { key: crypto.randomUUID(), form, rest: [] };
}

const keyOf = ({ key }: Attempt, version: string) => (version === FIRST ? key : `${key}-${version}`);

function makeForm(tool: Tool, draft: Draft, takes: readonly string[] | undefined, version: string): FormData {
  const form = new FormData();
  const print = printForm(tool, draft);
  for (const [name, field] of Object.entries(tool.fields)) {
    const value = draft[name];
    if (isGuide(field) && takes?.includes(name) === false) continue;
    if (field.kind === 'variant' && version !== FIRST) form.append(name, version);
    const text = field.kind === 'text' ? value : print[name];
    if (isPicture(value)) form.append(name, value.mediaId ?? value.file);
    else if (typeof text === 'string') form.append(name, text);
  }
  return form;
}

function accept(tool: Tool, accepted: Generation, attempt: Attempt, draft: Draft, version = FIRST): void {
  speakOf(accepted.id, attempt.key);
  putGeneration(accepted);
  for (const name of Object.keys(tool.fields)) {
    const marks = pictureOf(draft, name)?.marks;
    if (marks !== undefined) rememberMarks(accepted.id, marks);
  }
  const picture = pictureOf(draft, mainPictureField(tool));
  // Of an earlier result there is only a preview: no upload of anybody's.
  if (picture !== undefined && picture.mediaId === undefined && picture.isSample !== true) rememberUpload(picture.file);
  const rest = attempt.rest.filter((one) => one !== version);
  changeStage(accepted.tool, {
    ...stand(tool, accepted, { ...printForm(tool, draft), [VERSION]: version }),
    attempt: rest.length > 0 ? { ...attempt, rest } : null,
  });
  changeTool(accepted.tool, { sending: rest.length > 0 ? 'rest' : null, takingUp: 'done' });
  useMemory.setState({ unfinished: null });
}

/** The first of a press comes on the stage, beside what was made of its pictures before; the others stand by it. */
function stand(tool: Tool, { id, tool: toolId }: Generation, print: FormPrint): Partial<Stage> {
  const { sending, stage } = readTool(toolId);
  const { row, made } = stage;
  const last = made[row.at(-1) ?? ''];
  const isSame = last !== undefined && hasSamePictures(tool, last, print);
  const isRest = sending === 'rest';
  // Something else was begun since: what it finds is in the tray.
  if (isRest && !isSame) return {};
  return {
    ...(!isRest && { shown: id }),
    row: isSame ? [...row.filter((one) => one !== id), id] : [id],
    made: { ...(isSame && made), [id]: print },
  };
}

const NOT_STARTED = 'The other versions were not started and cost nothing.';
const UNANSWERED = 'There was no answer for the other versions. Press again to send them: nothing is paid twice.';

/** What was accepted goes on. Without an error the form is another one by now, or nobody expects the others. */
function giveUpRest(toolId: ToolId, tool: Tool, attempt: Attempt, error: ApiError | null): void {
  const isOpen = error !== null && isUnanswered(error);
  changeStage(toolId, { attempt: isOpen ? { ...attempt, rest: [] } : null });
  changeTool(toolId, { sending: null });
  const reason = error === null ? '' : ` ${explain(error, tool).sentence}`;
  const sentence = isOpen ? UNANSWERED : `${NOT_STARTED}${reason}`;
  refuse(toolId, { sentence, field: null }, attempt.key, error?.code === 'insufficient_credits');
}

function refuse(toolId: ToolId, refusal: Refusal, toastId: string, isPoor = false): void {
  if (isPoor) useMemory.setState({ unfinished: toolId });
  changeTool(toolId, { refusal: { ...refusal, isPoor } });
  const action = isPoor ? { action: { label: 'Credits', to: '/dashboard/credits' } } : {};
  say.wrong(refusal.sentence, { id: toastId, ...action });
}

function explain(error: ApiError, tool: Tool): Refusal {
  if (error.code === 'unexpected') return { sentence: tool.says.failed, field: null };
  return { sentence: error.message, field: error.fields[0]?.field ?? null };
}
