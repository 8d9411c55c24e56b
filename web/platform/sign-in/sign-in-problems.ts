import { invitationPage } from '#contract/cloud/invitations.ts';
import { Problem } from '#contract/problem.ts';
import { PageProblem } from '../../parts/problem-words.ts';
import { pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';

/** Whether the person opened an invitation and returns to it after sign-in. */
export const isInvited = (): boolean => pageUrl.value.pathname.startsWith(`${invitationPage}/`);

const t = texts({
  unavailable: [
    'The platform is not responding. Check that it is running and that you are online, then try again.',
    'Plattformen svarar inte. Kontrollera att den är igång och att du är uppkopplad, och försök igen.',
  ],
  rate_limited: [
    'Too many attempts. Wait a minute and try again.',
    'För många försök. Vänta en minut och försök igen.',
  ],
  identity_unknown: [
    'This platform does not know your key. It may be a different platform, or its data was reset.',
    'Plattformen känner inte till din nyckel. Det kan vara en annan plattform, eller så har dess data återställts.',
  ],
  challenge_invalid: ['Signing in took too long. Try again.', 'Inloggningen tog för lång tid. Försök igen.'],
  signature_invalid: [
    'The platform did not accept this key. Try again, or sign in with your key file.',
    'Plattformen godtog inte nyckeln. Försök igen eller logga in med nyckelfilen.',
  ],
  unauthenticated: ['Your session has expired. Sign in again.', 'Din session har gått ut. Logga in igen.'],
  forbidden: [
    'The demo is only available on the computer that runs it. Open http://localhost there.',
    'Demon är bara tillgänglig på datorn som kör den. Öppna http://localhost där.',
  ],
  notKept: [
    'The browser could not store your key. Leave private browsing or free some disk space, then try again.',
    'Webbläsaren kunde inte spara nyckeln. Lämna privat surfning eller frigör diskutrymme och försök igen.',
  ],
});

/** Replaces sign-in errors by sentences that say what to do. */
export function explainProblem(problem: unknown): unknown {
  if (problem instanceof DOMException) return new PageProblem('storage_failed', t('notKept'), {}, { cause: problem });
  if (!(problem instanceof Problem)) return problem;
  const { code, details } = problem;
  return t.has(code) ? new PageProblem(code, t(code), details, { cause: problem }) : problem;
}

export const explainFailure = <T>(work: Promise<T>): Promise<T> =>
  work.catch((problem: unknown) => {
    throw explainProblem(problem);
  });
