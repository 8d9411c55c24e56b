import { can, type Role, roles } from '#contract/access.ts';
import type { Choice } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';

export const roleWords = texts({
  en: {
    viewer: 'Viewer: looks',
    operator: 'Operator: looks and controls',
    admin: 'Administrator: also manages sites, gateways, devices and people',
    owner: 'Owner: may also delete and hand over',
  },
  sv: {
    viewer: 'Läsare: tittar',
    operator: 'Operatör: tittar och styr',
    admin: 'Administratör: sköter också anläggningar, gateways, enheter och personer',
    owner: 'Ägare: får också radera och lämna över',
  },
});

/** The roles that somebody of this role may give: only an owner makes an owner. */
export const roleChoices = (ownRole: Role): Choice[] =>
  roles
    .filter((role) => role !== 'owner' || can(ownRole, 'own'))
    .map((role) => ({ value: role, label: roleWords(role) }));
