import { useSignal } from '@preact/signals';
import { type ClaimedGateway, claimGateway, type Gateway, getGateway } from '#contract/cloud/gateways.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Switch } from '../../parts/field.tsx';
import { Notice } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { SignedGatewayClaim } from './check-claim.ts';

const t = texts({
  free: [
    '{serial} does not belong to any of your organizations. If someone else owns it, claiming moves it to you: their devices lose their gateway but keep their history.',
    '{serial} tillhör ingen av dina organisationer. Om någon annan äger den flyttas den till dig: deras enheter blir utan gateway men behåller sin historik.',
  ],
  ours: [
    '{serial} already belongs to {name}. Claiming it again changes nothing.',
    '{serial} tillhör redan {name}. Inget ändras om du tar över den igen.',
  ],
  mine: [
    '{serial} belongs to another of your organizations and has {count} devices there. Claiming it for {name} moves it: those devices keep their history but must be added again.',
    '{serial} tillhör en annan av dina organisationer och har {count} enheter där. Om du tar över den till {name} flyttas den: enheterna behåller sin historik men måste läggas till igen.',
  ],
  theirs: [
    '{serial} is connected to a platform, so someone else probably owns it. Claiming it for {name} takes it away from them, and their devices lose their gateway.',
    '{serial} är ansluten till en plattform, så någon annan äger den troligen. Om du tar över den till {name} förlorar de den och deras enheter blir utan gateway.',
  ],
  sure: ['I understand and am allowed to do this', 'Jag förstår och har rätt att göra detta'],
  unsound: ['Fix the failed check above first.', 'Åtgärda först den underkända kontrollen ovan.'],
  claim: ['Claim for {name}', 'Ta över till {name}'],
  // Advice about a rejected claim, by the code of the problem.
  claim_refused: [
    'Use the serial number, key, message and signature of the same gateway, signed for your ID. If the serial number is bound to another key, the gateway may have been reinstalled. If its key is not approved, ask the platform operator to add it (ohmstead admin gateway).',
    'Använd serienummer, nyckel, meddelande och signatur från samma gateway, signerat för ditt ID. Om serienumret är bundet till en annan nyckel kan gatewayen ha installerats om. Om nyckeln inte är godkänd, be plattformens driftansvariga att lägga till den (ohmstead admin gateway).',
  ],
  claim_expired: [
    'Have the gateway sign again and claim it right away. If that fails too, the gateway’s clock is wrong.',
    'Låt gatewayen signera igen och ta över den direkt. Om det också misslyckas går gatewayens klocka fel.',
  ],
  claim_replayed: [
    'Have the gateway sign again; each signature works only once.',
    'Låt gatewayen signera igen; varje signatur gäller bara en gång.',
  ],
  forbidden: [
    'Only admins and owners can add gateways to an organization. Ask one of them, or choose another organization above.',
    'Bara administratörer och ägare kan lägga till gateways i en organisation. Fråga en av dem, eller välj en annan organisation ovan.',
  ],
  not_found: [
    'You are no longer a member of this organization. Choose another one above.',
    'Du är inte längre medlem i organisationen. Välj en annan ovan.',
  ],
  rate_limited: ['Wait a minute and try again.', 'Vänta en minut och försök igen.'],
  unavailable: [
    'Check that the platform is running and that you are online, then try again. It is safe to repeat.',
    'Kontrollera att plattformen är igång och att du är uppkopplad, och försök igen. Det är säkert att upprepa.',
  ],
});

type SubmitProps = {
  signed: SignedGatewayClaim;
  organization: Organization;
  /** no check has failed */
  isValid: boolean;
  onClaimed(claimed: ClaimedGateway): void;
};

/** Explains who owns the gateway and claims it. */
export function ClaimSubmit({ signed: { claim, from }, organization, isValid, onClaimed }: SubmitProps) {
  const serial = claim.gateway_serial;
  const isSure = useSignal(false);
  const known = useLoad(() => findOwnGateway(serial), [serial]);
  const submit = useAction(async () => {
    onClaimed(await api().call(claimGateway, { body: { org_id: organization.id, ...claim } }));
  });
  const code = submit.problem instanceof Problem ? submit.problem.code : '';
  return (
    <Loaded from={known}>
      {({ gateway }) => {
        const owner = gateway
          ? gateway.org_id === organization.id
            ? 'ours'
            : 'mine'
          : from?.isConnected
            ? 'theirs'
            : 'free';
        const isLoss = owner === 'mine' || owner === 'theirs';
        const values = { serial, name: organization.name, count: gateway?.device_count ?? 0 };
        return (
          <>
            <Notice tone={isLoss ? 'warning' : 'plain'}>{t(owner, values)}</Notice>
            {isLoss && <Switch label={t('sure')} value={isSure} />}
            {!isValid && <p class="says">{t('unsound')}</p>}
            <div class="actions">
              <ActionButton
                does={submit}
                isDisabled={!isValid || (isLoss && !isSure.value)}
                label={t('claim', { name: organization.name })}
              />
            </div>
            {t.has(code) && <p class="says">{t(code)}</p>}
          </>
        );
      }}
    </Loaded>
  );
}

/** Returns the gateway if it belongs to one of the person's organizations. */
async function findOwnGateway(serial: string): Promise<{ gateway?: Gateway }> {
  try {
    return { gateway: await api().call(getGateway, { params: { serial } }) };
  } catch (problem) {
    if (problem instanceof Problem && ['not_found', 'invalid_request'].includes(problem.code)) return {};
    throw problem;
  }
}
