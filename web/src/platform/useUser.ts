import { createContext, useContext } from 'react';
import type { Session } from '@plinth/contract/auth';

export const UserContext = createContext<Session['user'] | null>(null);

/** Returns the user of the session. @throws outside the gate, where there may be none */
export function useUser(): Session['user'] {
  const user = useContext(UserContext);
  if (user === null) throw new Error('this screen needs a session');
  return user;
}
