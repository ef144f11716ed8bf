import { useQueryClient } from '@tanstack/react-query';
import { type BillingDetails, billingDetailsSchema } from '@plinth/contract/payments';
import { useAnswer } from '../platform/useAnswer.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/fields/Field.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { say } from '../ui/above/toast.tsx';
import { useTyped } from '../ui/fields/typed.ts';
import { explainAsSaid, useForm } from '../ui/fields/useForm.ts';

const PATH = '/api/v1/account/billing';
const KEY = ['billing'];
const FIELDS = [
  { name: 'company', label: 'Company', autoComplete: 'organization', fault: 'At most 200 characters.' },
  { name: 'vatId', label: 'VAT number', autoComplete: 'off', fault: 'Use letters and digits only.' },
  { name: 'address', label: 'Address', autoComplete: 'street-address', fault: 'At most 200 characters.' },
] as const;

export function BillingForm() {
  const billing = useAnswer(KEY, PATH, billingDetailsSchema);
  return (
    <Loaded query={billing} failed="Your billing details could not be loaded.">
      {(known) => <Details known={known} />}
    </Loaded>
  );
}

function Details({ known }: { known: BillingDetails }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const save = async (fields: FormData) => {
    // Spaces only make a VAT number easier to read.
    const read = (name: string) => (fields.get(name) as string).replace(name === 'vatId' ? /[\s.-]/g : '', '') || null;
    const body = Object.fromEntries(FIELDS.map(({ name }) => [name, read(name)]));
    queryClient.setQueryData(KEY, await api.send(PATH, billingDetailsSchema, { method: 'PUT', body }));
    say.done('Billing details saved.', { id: 'billing' });
  };
  const { form, wrong, isSending, submit, clear } = useForm({ send: save, explain: explainAsSaid });
  useTyped(form);
  return (
    <form ref={form} data-typed="billing" noValidate className="stack" onSubmit={submit}>
      {FIELDS.map(({ name, label, autoComplete, fault }) => (
        <InputField
          key={name}
          label={label}
          aside="Optional"
          name={name}
          autoComplete={autoComplete}
          defaultValue={known[name] ?? ''}
          error={wrong?.fields.includes(name) ? fault : undefined}
          disabled={isSending}
          onChange={clear}
        />
      ))}
      {wrong?.fields.length === 0 && <ErrorBox>{wrong.sentence}</ErrorBox>}
      <Button atStart type="submit" asksServer busy={isSending && 'Saving...'}>
        Save
      </Button>
    </form>
  );
}
