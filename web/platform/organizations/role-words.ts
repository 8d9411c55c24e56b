import { can, type Role, roles } from '#contract/access.ts';
import { type Choice, choicesOf } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';

export const roleWords = texts({
  viewer: 'Viewer: sees the sites and their history, and changes nothing',
  operator: 'Operator: also controls devices, such as charging the battery',
  admin: 'Admin: also adds and removes sites, gateways, devices and members',
  owner: 'Owner: also deletes the organization and appoints owners',
});

/** Returns the roles that a member may assign; only an owner can make an owner. */
export const roleChoices = (ownRole: Role): Choice<Role>[] =>
  choicesOf(
    roles.filter((role) => role !== 'owner' || can(ownRole, 'own')),
    roleWords,
  );
