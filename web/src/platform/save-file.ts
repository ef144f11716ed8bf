const RELEASE_AFTER_MS = 100;

/** Saves bytes as a file of this name. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}

/** Saves the file at an address; without a name the server's name is used. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
