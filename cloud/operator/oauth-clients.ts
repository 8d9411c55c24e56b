import { Check } from 'typebox/value';
import { Problem } from '#contract/problem.ts';
import { Name } from '#contract/schema.ts';
import { registerClient, removeClient } from '../oauth/clients.ts';
import { findClient } from '../store/oauth.ts';
import type { OAuthClientRow } from '../store/schema.ts';
import type { OperatorDeps } from './identities.ts';

export type OperatorClient = { name: string; redirectUris: string[]; confidential: boolean };

/** Registers an application of the platform itself, without an organization. */
export async function registerOperatorClient(
  { name, redirectUris, confidential }: OperatorClient,
  { store, clock }: OperatorDeps,
): Promise<{ client: OAuthClientRow; secret: string | undefined }> {
  if (!Check(Name, name)) {
    throw new Problem('invalid_request', 'A name is 1 to 128 characters, not blank, no control characters.');
  }
  const registration = { name, redirect_uris: redirectUris, confidential, orgId: null };
  return store.write(({ db }) => registerClient(registration, db, clock.now()));
}

/** Removes any application, including those of organizations. */
export const removeOperatorClient = (id: string, { store }: OperatorDeps): Promise<void> =>
  store.write(async (write) => {
    if (!(await findClient(write.db, id))) throw new Problem('not_found', `There is no application ${id}.`);
    await removeClient(id, write);
  });
