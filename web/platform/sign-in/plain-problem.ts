import { invitationPage } from '#contract/cloud/invitations.ts';
import { Problem } from '#contract/problem.ts';
import { PageProblem } from '../../parts/problem-words.ts';
import { pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';

/** Whether the person opened an invitation, to which they return after the sign-in. */
export const isInvited = (): boolean => pageUrl.value.pathname.startsWith(`${invitationPage}/`);

const words = {
  en: {
    unavailable:
      'The platform does not answer. Look whether it runs and whether this device is connected, then try again.',
    rate_limited: 'That was tried too often just now. Wait a minute, then try again.',
    identity_unknown:
      'This platform does not know the key of this browser: it is another platform, or its data were made anew.',
    challenge_invalid: 'The platform gave up waiting for the signature. Try again.',
    signature_invalid:
      'The platform did not accept the signature of this key. Try again, or sign in with the key file.',
    unauthenticated: 'Your last sign-in is over. Come in again.',
    forbidden: 'This is for the machine that plays the simulation; open the page there, at http://localhost.',
    notKept:
      'The browser did not keep the key, so you would lose it: leave the private window, or free some disk, and try again.',
  },
  sv: {
    unavailable: 'Plattformen svarar inte. Se efter att den är igång och att du är ansluten, och försök igen.',
    rate_limited: 'Det har prövats för ofta den senaste stunden. Vänta en minut och försök igen.',
    identity_unknown:
      'Plattformen känner inte till webbläsarens nyckel: den är en annan plattform, eller så har dess data gjorts om.',
    challenge_invalid: 'Plattformen slutade vänta på underskriften. Försök igen.',
    signature_invalid: 'Plattformen godtog inte nyckelns underskrift. Försök igen, eller logga in med nyckelfilen.',
    unauthenticated: 'Din förra inloggning har gått ut. Logga in igen.',
    forbidden: 'Det här är för datorn som spelar simuleringen; öppna sidan där, på http://localhost.',
    notKept:
      'Webbläsaren sparade inte nyckeln, så du skulle förlora den: lämna det privata fönstret eller frigör plats, och försök igen.',
  },
};

const t = texts(words);

/** What went wrong at the door, in words for somebody who has never heard of challenges. */
export function plainProblem(problem: unknown): unknown {
  if (problem instanceof DOMException) return new PageProblem('storage_failed', t('notKept'), {}, { cause: problem });
  if (!(problem instanceof Problem) || !Object.hasOwn(words.en, problem.code)) return problem;
  return new PageProblem(problem.code, t(problem.code as keyof typeof words.en), problem.details, { cause: problem });
}

export const inPlainWords = <T>(work: Promise<T>): Promise<T> =>
  work.catch((problem: unknown) => {
    throw plainProblem(problem);
  });
