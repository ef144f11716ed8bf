import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import { type BillingDetails, billingDetailsSchema } from '@plinth/contract/payments';
import { ApiError, toApiError } from '../platform/api.ts';
import { useOnline } from '../platform/online.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { InputField } from '../ui/Field.tsx';
import { say } from '../ui/toast.tsx';
import { useFocusWrong } from '../ui/useFocusWrong.ts';

const PATH = '/api/v1/account/billing';
const KEY = ['billing'];
const FIELDS = [
  { name: 'company', label: 'Company', autoComplete: 'organization', fault: 'At most 200 characters.' },
  { name: 'vatId', label: 'VAT number', autoComplete: 'off', fault: 'Use letters and digits only.' },
  { name: 'address', label: 'Address', autoComplete: 'street-address', fault: 'At most 200 characters.' },
] as const;

/** What receipts say of the buyer; nothing of it is asked for. */
export function BillingForm() {
  const api = useApi();
  const billing = useQuery({ queryKey: KEY, queryFn: () => api.send(PATH, billingDetailsSchema) });
  if (billing.isPending) return <div className="skeleton access-wait" />;
  if (billing.isError)
    return (
      <ErrorBox action={<Button onClick={() => void billing.refetch()}>Try again</Button>}>
        Your billing details could not be loaded.
      </ErrorBox>
    );
  return <Details known={billing.data} />;
}

function Details({ known }: { known: BillingDetails }) {
  const [values, setValues] = useState(known);
  const form = useRef<HTMLFormElement>(null);
  const isOnline = useOnline();
  const save = useSave();
  const wrong = save.error instanceof ApiError ? save.error.fields.map(({ field }) => field) : [];
  useFocusWrong(form, save.error, wrong[0] === undefined ? null : `[name=${wrong[0]}]`, save.isPending);
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(values);
  };
  return (
    <form ref={form} noValidate className="stack" onSubmit={handleSubmit}>
      {FIELDS.map(({ name, label, autoComplete, fault }) => (
        <InputField
          key={name}
          label={label}
          aside="Optional"
          name={name}
          autoComplete={autoComplete}
          value={values[name] ?? ''}
          error={wrong.includes(name) ? fault : undefined}
          disabled={save.isPending}
          onChange={({ currentTarget }) => {
            setValues({ ...values, [name]: currentTarget.value });
            if (save.isError) save.reset();
          }}
        />
      ))}
      {save.error && wrong.length === 0 && <ErrorBox>{toApiError(save.error).message}</ErrorBox>}
      <div className="at-start">
        <Button type="submit" disabled={!isOnline} busy={save.isPending && 'Saving...'}>
          Save
        </Button>
      </div>
    </form>
  );
}

function useSave() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    // Spaces make a VAT number easier to read; they are no part of it.
    mutationFn: ({ vatId, ...rest }: BillingDetails) =>
      api.send(PATH, billingDetailsSchema, {
        method: 'PUT',
        body: { ...rest, vatId: vatId?.replace(/[\s.-]/g, '') ?? null },
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(KEY, saved);
      say.done('Billing details saved.', { id: 'billing' });
    },
  });
}
