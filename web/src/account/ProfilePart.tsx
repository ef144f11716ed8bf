import { useUser } from '../platform/useUser.ts';
import { Facts } from '../ui/Facts.tsx';
import { Panel } from './Panel.tsx';

const WAYS = { password: 'Email and password', google: 'Google' } as const;

export function ProfilePart() {
  const { email, displayName, providers } = useUser();
  return (
    <Panel title="Profile">
      <Facts
        facts={[
          ['Name', `${displayName}, the first part of your email`],
          ['Email', email],
          ['Sign-in methods', providers.map((way) => WAYS[way]).join(', ')],
          ['Language of this site', 'English'],
          [
            'Language of your words',
            'As you write: the built-in engine reads English, German, Spanish, French, Portuguese, Italian, Chinese, Japanese and Arabic.',
          ],
        ]}
      />
    </Panel>
  );
}
