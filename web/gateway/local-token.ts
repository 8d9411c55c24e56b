import { signal } from '@preact/signals';
import { tabStorage } from '../parts/storage.ts';

const name = 'local-token';

/** The token of a guarded gateway; this tab remembers it. */
let token = tabStorage.readStored(name);

type Question = { wasRefused: boolean; answer(token: string | undefined): void };

/** What the person is being asked. */
export const question = signal<Question | undefined>(undefined);

export const localToken = (): string | undefined => token;

let asking: Promise<boolean> | undefined;

/** Asks for the token, everybody who needs it at once; false when the person would not give one. */
export function askForToken(refused: string | undefined): Promise<boolean> {
  if (token !== refused) return Promise.resolve(true); // another one was given meanwhile
  asking ??= new Promise<boolean>((resolve) => {
    question.value = {
      wasRefused: refused !== undefined,
      answer(given) {
        question.value = undefined;
        asking = undefined;
        token = given;
        tabStorage.store(name, given);
        resolve(given !== undefined);
      },
    };
  });
  return asking;
}
