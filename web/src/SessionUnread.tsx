import { useRouter } from '@tanstack/react-router';
import { sentences } from '@plinth/contract/errors';
import { Button } from './ui/Button.tsx';
import { Logo } from './ui/pages/Logo.tsx';

export function SessionUnread() {
  const router = useRouter();
  return (
    <main className="alone" id="main">
      <Logo />
      <h1 className="title-large">{sentences.userLoadFailed}</h1>
      <Button onClick={() => void router.invalidate()}>Try again</Button>
    </main>
  );
}
