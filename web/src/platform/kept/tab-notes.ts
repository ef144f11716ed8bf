/** Leaves a word for the next page of this tab; it is lost where the browser keeps nothing. */
export function leaveNote(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // Forbidden or full: a sentence less, and nothing else.
  }
}

/** What an earlier page of this tab left, once. */
export function takeNote(name: string): string | null {
  try {
    const text = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    return text;
  } catch {
    return null;
  }
}
