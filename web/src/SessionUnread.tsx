import { useRouter } from '@tanstack/react-router';
import { sentences } from '@plinth/contract/errors';
import { Button } from './ui/Button.tsx';
import { ErrorBox } from './ui/ErrorBox.tsx';

export function SessionUnread() {
  const router = useRouter();
  return (
    <main className="alone">
      <ErrorBox action={<Button onClick={() => void router.invalidate()}>Try again</Button>}>
        {sentences.userLoadFailed}
      </ErrorBox>
    </main>
  );
}
