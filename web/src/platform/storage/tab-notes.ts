/** Leaves a note for the next page of this tab; it is lost if the browser has no storage. */
export function leaveNote(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // Storage full or forbidden: only a sentence is lost.
  }
}

/** Takes the note that an earlier page of this tab left. */
export function takeNote(name: string): string | null {
  try {
    const text = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    return text;
  } catch {
    return null;
  }
}
