const clientIdForm = /^[A-Za-z0-9_:.-]{3,192}$/;

/** Everybody whose it could be by its form. */
export function possibleOwnersOf(clientId: string): string[] {
  const parts = clientId.split('-');
  const ends = parts.flatMap((_, at) => [parts.slice(0, at).join('-'), parts.slice(at).join('-')]);
  return [...new Set(ends)].filter((name) => name !== '');
}

/** Whether a client id is its owner's: the owner's name, alone or as first or last part behind a dash. */
export function isClientIdOf(owner: string, clientId: string): boolean {
  if (!clientIdForm.test(clientId)) return false;
  if (clientId === owner) return true;
  const hasMore = clientId.length > owner.length + 1;
  return hasMore && (clientId.startsWith(`${owner}-`) || clientId.endsWith(`-${owner}`));
}
