/** Sends at once what still waits to be sent: nobody may send it once its person is signed out. */
export const beforeSignOut = new Set<() => Promise<void>>();
