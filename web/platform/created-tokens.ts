import { signal } from '@preact/signals';
import { tabStorage } from '../parts/storage.ts';

export type CreatedToken = { token: string; expiresAt: string; identityId: string };

const name = 'tokens';

/** Tokens created for scripts, newest first. They cannot be fetched again, so this tab keeps them. */
const remembered = signal<readonly CreatedToken[]>(JSON.parse(tabStorage.readStored(name) ?? '[]'));

function remember(tokens: readonly CreatedToken[]): void {
  remembered.value = tokens;
  tabStorage.store(name, tokens.length > 0 ? JSON.stringify(tokens) : undefined);
}

/** Returns the unexpired tokens of a person. */
export const validTokens = (identityId: string, nowMs: number): CreatedToken[] =>
  remembered.value.filter((each) => each.identityId === identityId && Date.parse(each.expiresAt) > nowMs);

export const rememberToken = (made: CreatedToken): void => remember([made, ...remembered.peek()]);

export const forgetToken = ({ token }: CreatedToken): void =>
  remember(remembered.peek().filter((each) => each.token !== token));

export const forgetTokens = (): void => remember([]);
