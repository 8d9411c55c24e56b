import { createOrganization, isChosen, type Organization } from '#contract/cloud/organizations.ts';
import { texts } from '../parts/text.ts';
import { may } from './permissions.ts';
import { api } from './session.ts';
import { allOrganizations } from './site.ts';

const t = texts({});

/** Lists the organizations that the person chose and may manage. */
export async function managedOrganizations(signal?: AbortSignal): Promise<Organization[]> {
  const chosen = (await allOrganizations(signal)).filter(isChosen);
  const isManaged = await Promise.all(chosen.map(({ id }) => may(id, 'manage', signal)));
  return chosen.filter((_, i) => isManaged[i]);
}

/** Returns an organization that the person may manage, preferring `usual`, or creates one. */
export async function ownOrganizationId(usual?: string): Promise<string> {
  const ids = (await managedOrganizations()).map(({ id }) => id);
  const known = ids.find((id) => id === usual) ?? ids[0];
  return known ?? (await api().call(createOrganization, { body: { name: t('home') } })).id;
}
