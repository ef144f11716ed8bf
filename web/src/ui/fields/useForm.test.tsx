// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { ApiError } from '../../platform/api.ts';
import { ErrorBox } from '../ErrorBox.tsx';
import { useForm, type FormError } from './useForm.ts';

beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined; // jsdom lays nothing out.
});
afterEach(cleanup);

type NameFormProps = {
  send: () => Promise<unknown>;
  check?: () => FormError | null;
  mode?: string;
  isLeaving?: boolean;
};

function NameForm(props: NameFormProps) {
  const { form, wrong, errorId, submit, clear, stateOf } = useForm<FormError>({
    ...props,
    explain: ({ message }) => ({ sentence: message, fields: ['name'] }),
  });
  return (
    <form ref={form} onSubmit={submit}>
      <input aria-label="City" name="city" onChange={clear} {...stateOf('city')} />
      <input aria-label="Name" name="name" onChange={clear} {...stateOf('name')} />
      {wrong && <ErrorBox id={errorId}>{wrong.sentence}</ErrorBox>}
      <button type="submit">Send</button>
    </form>
  );
}

const press = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));
const name = () => screen.getByLabelText<HTMLInputElement>('Name');
const refuse = (code: ApiError['code'], sentence: string) => () => Promise.reject(new ApiError(code, sentence));

it('sends nothing that would be refused, and leads to the field', async () => {
  let sent = 0;
  const send = async () => void (sent += 1);
  render(<NameForm send={send} check={() => ({ sentence: 'A name is needed.', fields: ['name'] })} />);
  await press();
  expect(sent).toBe(0);
  expect(document.activeElement).toBe(name());
  expect(name().getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(name().getAttribute('aria-describedby') ?? '')?.textContent).toBe('A name is needed.');
  expect(screen.getByLabelText('City').getAttribute('aria-invalid')).toBeNull();
});

it('says what the server refused, opens the form and leads there; the next input clears it', async () => {
  render(<NameForm send={refuse('name_required', 'This name is taken.')} />);
  await press();
  expect(await screen.findByText('This name is taken.')).toBeDefined();
  expect(name().disabled).toBe(false);
  expect(document.activeElement).toBe(name());
  await userEvent.type(name(), 'x');
  expect(screen.queryByText('This name is taken.')).toBeNull();
});

it('says nothing of a session that is over, and explains what nobody expected', async () => {
  const { rerender } = render(<NameForm send={refuse('no_active_session', 'Gone.')} />);
  await press();
  expect(name().disabled).toBe(false);
  expect(screen.queryByText('Gone.')).toBeNull();
  rerender(<NameForm send={() => Promise.reject(new TypeError('a defect'))} />);
  await press();
  expect(await screen.findByText('An unexpected error occurred. Please try again.')).toBeDefined();
});

it('sends once for two quick presses, locked until the answer', async () => {
  let sent = 0;
  let answer = () => {};
  const send = () => {
    sent += 1;
    return new Promise<void>((resolve) => (answer = resolve));
  };
  render(<NameForm send={send} />);
  const form = name().form!;
  form.requestSubmit();
  form.requestSubmit();
  await expect.poll(() => name().disabled).toBe(true);
  expect(sent).toBe(1);
  answer();
  await expect.poll(() => name().disabled).toBe(false);
});

it('stays locked once taken where it leads away', async () => {
  render(<NameForm send={async () => undefined} isLeaving />);
  await press();
  expect(name().disabled).toBe(true);
});

it('says a refusal of one mode in that mode only', async () => {
  const send = refuse('name_required', 'Not like this.');
  const { rerender } = render(<NameForm send={send} mode="new" />);
  await press();
  expect(await screen.findByText('Not like this.')).toBeDefined();
  rerender(<NameForm send={send} mode="known" />);
  expect(screen.queryByText('Not like this.')).toBeNull();
});
