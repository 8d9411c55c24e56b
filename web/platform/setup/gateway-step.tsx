import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { claimGateway, type SignedClaim } from '#contract/cloud/gateways.ts';
import { listNearbyGateways, type NearbyGateway, signNearbyClaim } from '#contract/cloud/nearby.ts';
import { Problem } from '#contract/problem.ts';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { Field, Switch } from '../../parts/field.tsx';
import { givenName } from '../../parts/gateway-name.ts';
import { Card, Failed, Notice } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { PageProblem } from '../../parts/problem-words.ts';
import { Link, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { explaining } from '../explain.ts';
import { type Check, checkClaim, type SignedGatewayClaim } from '../gateways/check-claim.ts';
import { failureWords } from '../gateways/claim-checks.tsx';
import { signedClaimFrom } from '../gateways/claim-source.tsx';
import { claimAdvice } from '../gateways/claim-submit.tsx';
import { gatewayPageUrl } from '../gateways/local-address.ts';
import { lastAddress } from '../gateways/local-gateway.ts';
import { ownOrganizationId } from '../own-organization.ts';
import { api } from '../session.ts';
import { DevicePicture } from './device-picture.tsx';
import { readHandover } from './handover.ts';

const t = texts({
  title: 'Connect your gateway',
  says: 'The gateway is the small computer at home that reads your devices.',
  searching: 'Looking for gateways on your network…',
  none: 'No gateway found on this network yet. Make sure that it is switched on.',
  connect: 'Connect',
  found: 'Found on your network',
  elsewhere: 'Connected to another platform. Its owner has to release it there first.',
  other: 'Enter its address',
  otherSays:
    'Your router lists it, and ohmstead gateway prints it when it starts. Examples: 192.168.1.20, zap-ohm-1234.local',
  addressLabel: 'Address of the gateway',
  handed: 'Your gateway has signed',
  handedSays: 'The gateway {serial} says that you are on its network.',
  taken:
    'This gateway is connected to a platform. If it belongs to someone else, connecting it here takes it away from them.',
  sure: 'It is mine',
  installer: 'For installers: claim step by step',
  openPage: 'Open the page of the gateway',
  openSays: 'This page cannot call the gateway there. The gateway signs on its own page, which brings you back here.',
});

type StepProps = { orgId: string | undefined; onClaimed(serial: string, checks: Check[]): void };

const searchMs = 4000;

/** Finds the gateway and claims it with its signature. */
export function GatewayStep({ orgId, onClaimed }: StepProps) {
  const nearby = useLoad((signal) => api().call(listNearbyGateways, { signal }), [], Math.floor(now.value / searchMs));
  const handed = useSignal(readHandover(pageUrl.peek().hash));
  useEffect(() => {
    // The signature is used once: it does not stay in the address.
    if (handed.peek()) history.replaceState({}, '', location.pathname + location.search);
  }, []);
  const claim = async ({ claim }: SignedGatewayClaim): Promise<void> => {
    const checks = await checkedClaim(claim);
    const org_id = await ownOrganizationId(orgId);
    await explaining(api().call(claimGateway, { body: { org_id, ...claim } }), claimAdvice);
    onClaimed(claim.gateway_serial, checks);
  };
  if (handed.value) return <HandedOver signed={handed.value} claim={claim} />;
  const { search, gateways = [] } = nearby.value ?? {};
  const shown = gateways.filter(({ state }) => state !== 'yours');
  const asked = pageUrl.value.searchParams.get('gateway'); // the link or QR code of the page of a gateway names it
  const isListed = asked ? shown.some(({ gateway_serial }) => gateway_serial === asked) : shown.length > 0;
  return (
    <Card title={t('title')} says={t('says')} class="setup-card">
      {search === 'done' && (
        <ul class="setup-list" aria-label={t('found')}>
          {shown.map((gateway) => (
            <li key={gateway.gateway_serial}>
              <NearbyRow gateway={gateway} claim={claim} />
            </li>
          ))}
        </ul>
      )}
      {search === 'done' && shown.length === 0 && <p>{t('none')}</p>}
      <Failed problem={nearby.problem} again={nearby.again} />
      {search === undefined && nearby.problem === undefined && <p role="status">{t('searching')}</p>}
      <details class="setup-more" open={search !== undefined && !isListed}>
        <summary>{t('other')}</summary>
        <AddressForm claim={claim} />
        <p class="says">
          <Link to="/app/gateways/claim">{t('installer')}</Link>
        </p>
      </details>
    </Card>
  );
}

/** Repeats the checks of the platform, so that a failure names its reason. */
async function checkedClaim(claim: SignedClaim): Promise<Check[]> {
  const checks = await checkClaim(claim, api().identityId, now.peek());
  const failed = checks.find(({ verdict }) => verdict === 'bad');
  if (failed) throw new PageProblem('claim_refused', failureWords(failed));
  return checks;
}

type Claim = (signed: SignedGatewayClaim) => Promise<void>;

function NearbyRow({ gateway, claim }: { gateway: NearbyGateway; claim: Claim }) {
  const { gateway_serial, state, url } = gateway;
  const name = givenName(gateway.name) ?? t('gateway');
  const connect = useAction(async () => {
    await claim({ claim: await api().call(signNearbyClaim, { body: { gateway_serial } }) });
  });
  const needsPage = connect.problem instanceof Problem && connect.problem.code === 'upstream_failed';
  return (
    <div class="setup-row">
      <DevicePicture of="gateway" />
      <span class="setup-name">
        <b>{name}</b>
        <span class="says">{state === 'elsewhere' ? t('elsewhere') : new URL(url).host}</span>
      </span>
      {state === 'free' && (
        <span class="actions">
          <ActionButton does={connect} label={[t('connect'), <span class="hidden">{name}</span>]} />
          {needsPage && <SignThere url={url} />}
        </span>
      )}
    </div>
  );
}

/** Links to the page of the gateway, which signs and leads back. */
const SignThere = ({ url }: { url: string }) => (
  <a class="button" href={`${url}/app/platform#sign=${encodeURIComponent(api().identityId)}`}>
    {t('openPage')}
  </a>
);

function AddressForm({ claim }: { claim: Claim }) {
  const address = useSignal(pageUrl.peek().searchParams.get('at') ?? lastAddress());
  const token = useSignal('');
  const isSure = useSignal(false);
  const connect = useAction(async () => {
    const signed = await signedClaimFrom(address.value, token.value.trim());
    if (signed.from?.isConnected && !isSure.value) return signed;
    await claim(signed);
    return undefined;
  });
  const needsToken = connect.problem instanceof Problem && connect.problem.code === 'unauthenticated';
  const page = connect.problem === undefined ? undefined : gatewayPageUrl(address.value);
  return (
    <ActionForm does={connect} submit={t('connect')}>
      <Field label={t('addressLabel')} says={t('otherSays')} value={address} required />
      {(needsToken || token.value !== '') && <Field label={t('localToken')} value={token} type="password" />}
      {connect.result && (
        <Notice tone="warning">
          <p>{t('taken')}</p>
          <Switch label={t('sure')} value={isSure} />
        </Notice>
      )}
      {page && (
        <Notice>
          <p>{t('openSays')}</p>
          <SignThere url={page} />
        </Notice>
      )}
    </ActionForm>
  );
}

/** A claim that the page of the gateway handed over. */
function HandedOver({ signed, claim }: { signed: SignedGatewayClaim; claim: Claim }) {
  const isSure = useSignal(false);
  const connect = useAction(() => claim(signed));
  const isTaken = signed.from?.isConnected ?? false;
  return (
    <Card
      title={t('handed')}
      says={t('handedSays', { serial: givenName(signed.from?.name) ?? signed.claim.gateway_serial })}
      class="setup-card"
    >
      {isTaken && (
        <Notice tone="warning">
          <p>{t('taken')}</p>
          <Switch label={t('sure')} value={isSure} />
        </Notice>
      )}
      <div class="actions">
        <ActionButton does={connect} label={t('connect')} isDisabled={isTaken && !isSure.value} />
      </div>
    </Card>
  );
}
