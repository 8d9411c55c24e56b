import { Problem } from '#contract/problem.ts';
import { texts } from '../../parts/text.ts';

const words = {
  en: {
    claim_refused:
      'What to do: take serial, key, message and signature from one and the same gateway, signed for you. If the serial is bound to another key, the gateway was set up anew or is not the one it says; if its key is not listed, ask the operator of the platform to list it (ohmstead admin gateway).',
    claim_expired:
      'What to do: let the gateway sign again, and claim it at once. If it is refused again, its clock is wrong: it should take its time from the network.',
    claim_replayed: 'What to do: let the gateway sign again; each signature works once.',
    forbidden:
      'What to do: only administrators and owners of an organization bring gateways in. Ask one, or choose another organization above.',
    not_found: 'What to do: you are no longer a member of this organization. Choose another one above.',
    rate_limited: 'What to do: wait a minute, then claim it again.',
    unavailable:
      'What to do: look whether the platform runs and this device is connected, then claim it again. Nothing is claimed twice.',
  },
  sv: {
    claim_refused:
      'Gör så här: ta serienummer, nyckel, meddelande och underskrift från en och samma gateway, skrivet för dig. Är serienumret bundet till en annan nyckel har gatewayen installerats om eller är inte den den säger; är nyckeln inte förtecknad, be plattformens driftansvarige att förteckna den (ohmstead admin gateway).',
    claim_expired:
      'Gör så här: låt gatewayen skriva under igen och ta över den genast. Blir det nej igen går dess klocka fel: den bör hämta tiden från nätet.',
    claim_replayed: 'Gör så här: låt gatewayen skriva under igen; varje underskrift gäller en gång.',
    forbidden:
      'Gör så här: bara administratörer och ägare i en organisation kan ta in gateways. Fråga en, eller välj en annan organisation ovan.',
    not_found: 'Gör så här: du är inte längre med i organisationen. Välj en annan ovan.',
    rate_limited: 'Gör så här: vänta en minut och ta sedan över den igen.',
    unavailable:
      'Gör så här: se efter att plattformen är igång och att du är ansluten, och försök sedan igen. Inget tas över två gånger.',
  },
};

const t = texts(words);

/** What to do about a claim that the platform refused; the refusal itself stands beside. */
export function ClaimFix({ problem }: { problem: unknown }) {
  if (!(problem instanceof Problem) || !Object.hasOwn(words.en, problem.code)) return null;
  return <p class="says">{t(problem.code as keyof typeof words.en)}</p>;
}
