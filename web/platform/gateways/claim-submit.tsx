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
  free: '{serial} does not belong to any of your organizations. If someone else owns it, claiming moves it to you: their devices lose their gateway but keep their history.',
  ours: '{serial} already belongs to {name}. Claiming it again changes nothing.',
  mine: '{serial} belongs to another of your organizations and has {count} devices there. Claiming it for {name} moves it: those devices keep their history but must be added again.',
  theirs:
    '{serial} is connected to a platform, so someone else probably owns it. Claiming it for {name} takes it away from them, and their devices lose their gateway.',
  sure: 'I understand and am allowed to do this',
  unsound: 'Fix the failed check above first.',
  claim: 'Claim for {name}',
});

/** Advice about a rejected claim, by the code of the problem. */
export const claimAdvice = texts({
  claim_refused:
    'Use the serial number, key, message and signature of the same gateway, signed for your ID. If the serial number is bound to another key, the gateway may have been reinstalled. If its key is not approved, ask the platform operator to add it (ohmstead admin gateway).',
  claim_expired:
    'Have the gateway sign again and claim it right away. If that fails too, the gateway’s clock is wrong.',
  claim_replayed: 'Have the gateway sign again; each signature works only once.',
  forbidden:
    'Only admins and owners can add gateways to an organization. Ask one of them, or choose another organization above.',
  not_found: 'Your membership in this organization has ended. Choose another one above.',
  rate_limited: 'Wait a minute and try again.',
  unavailable: 'Check that the platform is running and that you are online, then try again. It is safe to repeat.',
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
            {claimAdvice.has(code) && <p class="says">{claimAdvice(code)}</p>}
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
