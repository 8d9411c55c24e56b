import { signal } from '@preact/signals';
import { tabStorage } from '../parts/storage.ts';

export type MadeToken = { token: string; expiresAt: string; identityId: string };

const name = 'tokens';

/** Tokens that were made for scripts, newest first. The platform tells none again, so this tab remembers them until it is closed. */
const remembered = signal<readonly MadeToken[]>(JSON.parse(tabStorage.readStored(name) ?? '[]') as MadeToken[]);

function remember(tokens: readonly MadeToken[]): void {
  remembered.value = tokens;
  tabStorage.store(name, tokens.length > 0 ? JSON.stringify(tokens) : undefined);
}

/** Those of one person that are still good. */
export const goodTokens = (identityId: string, nowMs: number): MadeToken[] =>
  remembered.value.filter((each) => each.identityId === identityId && Date.parse(each.expiresAt) > nowMs);

export const rememberToken = (made: MadeToken): void => remember([made, ...remembered.peek()]);

export const forgetToken = ({ token }: MadeToken): void =>
  remember(remembered.peek().filter((each) => each.token !== token));

export const forgetTokens = (): void => remember([]);
