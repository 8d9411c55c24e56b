import { useSignal } from '@preact/signals';
import { type ClaimedGateway, claimGateway, type Gateway, getGateway } from '#contract/cloud/gateways.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Switch } from '../../parts/field.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { Signed } from './check-claim.ts';

const fixes = {
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

const fixText = texts(fixes);

/** What to do about a claim that the platform refused; the refusal itself stands beside. */
function ClaimFix({ problem }: { problem: unknown }) {
  if (!(problem instanceof Problem) || !Object.hasOwn(fixes.en, problem.code)) return null;
  return <p class="says">{fixText(problem.code as keyof typeof fixes.en)}</p>;
}

const t = texts({
  en: {
    free: '{serial} is in none of your organizations. If somebody else has it, claiming transfers it: their devices on it become orphaned, and they keep their history.',
    ours: '{serial} belongs to {name} already. Claiming it again changes nothing.',
    mine: '{serial} is in another of your organizations, with {count} devices. Claiming it into {name} takes it away from there: those devices become orphaned, keep their history, and must be added again.',
    theirs:
      '{serial} is connected to a platform, which lets in claimed gateways only, and it is in none of your organizations: somebody seems to have it. Claiming it into {name} takes it away from them, and their devices on it become orphaned.',
    sure: 'I know, and may do this',
    unsound: 'Something above is wrong; the platform would refuse it.',
    claim: 'Claim it into {name}',
  },
  sv: {
    free: '{serial} finns inte i någon av dina organisationer. Om någon annan har den flyttas den hit: deras enheter på den blir föräldralösa, och de behåller sin historik.',
    ours: '{serial} tillhör redan {name}. Att ta över den igen ändrar inget.',
    mine: '{serial} finns i en annan av dina organisationer, med {count} enheter. Att ta över den till {name} tar den därifrån: enheterna blir föräldralösa, behåller sin historik och måste läggas till igen.',
    theirs:
      '{serial} är ansluten till en plattform, som bara släpper in gateways som någon tagit över, och den finns inte i någon av dina organisationer: någon annan verkar ha den. Att ta över den till {name} tar den från dem, och deras enheter på den blir föräldralösa.',
    sure: 'Jag vet, och får göra det',
    unsound: 'Något ovan är fel; plattformen skulle säga nej.',
    claim: 'Ta över den till {name}',
  },
});

type SubmitProps = {
  signed: Signed;
  organization: Organization;
  /** nothing is known to be wrong */
  isSound: boolean;
  onClaimed(claimed: ClaimedGateway): void;
};

/** Tells whose the gateway is, and claims it. */
export function ClaimSubmit({ signed: { claim, from }, organization, isSound, onClaimed }: SubmitProps) {
  const serial = claim.gateway_serial;
  const isSure = useSignal(false);
  const known = useLoad(() => knownGateway(serial), [serial]);
  const submit = useAction(async () => {
    onClaimed(await api().call(claimGateway, { body: { org_id: organization.id, ...claim } }));
  });
  return (
    <Loaded from={known}>
      {({ gateway }) => {
        const case_ = caseOf(gateway, organization, from?.isConnected ?? false);
        const isLoss = case_ === 'mine' || case_ === 'theirs';
        const values = { serial, name: organization.name, count: gateway?.device_count ?? 0 };
        return (
          <>
            <Notice tone={isLoss ? 'warning' : 'plain'}>{t(case_, values)}</Notice>
            {isLoss && (
              <Switch
                label={t('sure')}
                isOn={isSure.value}
                onChange={(isOn) => {
                  isSure.value = isOn;
                }}
              />
            )}
            {!isSound && <p class="says">{t('unsound')}</p>}
            {submit.problem !== undefined && <Failed problem={submit.problem} />}
            <ClaimFix problem={submit.problem} />
            <div class="actions">
              <ActionButton does={submit} isDisabled={!isSound || (isLoss && !isSure.value)}>
                {t('claim', { name: organization.name })}
              </ActionButton>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

/** The platform tells of nobody else's gateways. */
const knownGateway = (serial: string): Promise<{ gateway?: Gateway }> =>
  api()
    .call(getGateway, { params: { serial } })
    .then(
      (gateway) => ({ gateway }),
      (problem: unknown) => {
        if (problem instanceof Problem && ['not_found', 'invalid_request'].includes(problem.code)) return {};
        throw problem;
      },
    );

function caseOf(
  gateway: Gateway | undefined,
  { id }: Organization,
  isConnected: boolean,
): 'free' | 'ours' | 'mine' | 'theirs' {
  if (gateway) return gateway.org_id === id ? 'ours' : 'mine';
  return isConnected ? 'theirs' : 'free';
}
