import { can, type Role, roles } from '#contract/access.ts';
import { type Choice, choicesOf } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';

export const roleWords = texts({
  viewer: 'Viewer: can view',
  operator: 'Operator: can view and control',
  admin: 'Admin: can also manage sites, gateways, devices and members',
  owner: 'Owner: can also delete the organization and change owners',
});

/** Returns the roles that a member may assign; only an owner can make an owner. */
export const roleChoices = (ownRole: Role): Choice<Role>[] =>
  choicesOf(
    roles.filter((role) => role !== 'owner' || can(ownRole, 'own')),
    roleWords,
  );
