import { invitationPage } from '#contract/cloud/invitations.ts';
import { place } from '../../parts/router.tsx';

/** Whether the person opened an invitation, to which they return after the sign-in. */
export const isInvited = (): boolean => place.value.pathname.startsWith(`${invitationPage}/`);
