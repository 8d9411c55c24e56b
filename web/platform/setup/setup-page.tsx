import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Gateway, listGateways } from '#contract/cloud/gateways.ts';
import { getSite, listSites, type SiteDetails } from '#contract/cloud/sites.ts';
import { Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { pageUrl, setQuery } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import type { Check } from '../gateways/check-claim.ts';
import { ClaimChecks } from '../gateways/claim-checks.tsx';
import { managedOrganizations } from '../own-organization.ts';
import { api, session } from '../session.ts';
import { rememberSite } from '../site.ts';
import { BackupReminder } from '../sites/backup-reminder.tsx';
import { DevicesStep } from './devices-step.tsx';
import { GatewayStep } from './gateway-step.tsx';
import { SiteStep } from './site-step.tsx';
import { ValuesStep } from './values-step.tsx';
import '../gateways/claim.css';
import './setup.css';

const t = texts({
  first: 'Get started',
  title: 'Set up {name}',
  says: 'From your gateway to live values, in a few minutes. You can stop at any time and continue later.',
  steps: 'Steps',
  place: 'Your home',
  values: 'Live values',
  done: 'step|done',
  mayNot: 'Only admins and owners of an organization can set up its sites.',
  verified: 'Verified',
  details: 'Show the checks',
  registered: 'This platform did not know your key. It has been registered, and you start with a new account.',
});

/** The state on the platform, from which the current step follows: so a person can continue on any day, anywhere. */
type Progress = {
  orgId: string | undefined;
  /** those of the organization */
  gateways: Gateway[];
  gateway: Gateway | undefined;
  site: SiteDetails | undefined;
};

const steps = ['gateway', 'place', 'devices', 'values'] as const;
type StepName = (typeof steps)[number];

/** Returns the devices of a site that a gateway reads, or that have lost it. */
const devicesBehind = ({ devices }: SiteDetails, serial: string): SiteDetails['devices'] =>
  devices.filter(({ gateway_serial }) => gateway_serial === serial);

function stepOf({ gateway, site }: Progress, query: URLSearchParams): StepName {
  if (!gateway || query.has('find')) return 'gateway';
  if (!site) return 'place';
  return devicesBehind(site, gateway.gateway_serial).length === 0 || query.has('add') ? 'devices' : 'values';
}

async function loadProgress(query: URLSearchParams, signal: AbortSignal): Promise<Progress> {
  const organizations = await managedOrganizations(signal);
  const asked = query.get('site');
  const sites = (
    await Promise.all(
      organizations.map(({ id }) => Array.fromAsync(api().pages(listSites, { query: { org_id: id }, signal }))),
    )
  ).flat();
  const chosen = asked === null && !query.has('new') ? sites[0] : sites.find(({ id }) => id === asked);
  const orgId = chosen?.org_id ?? organizations[0]?.id;
  const [site, gateways] = await Promise.all([
    chosen && api().call(getSite, { params: { site_id: chosen.id }, signal }),
    orgId === undefined ? [] : Array.fromAsync(api().pages(listGateways, { query: { org_id: orgId }, signal })),
  ]);
  return { orgId, gateways, site, gateway: gatewayOf(gateways, site, query.get('gateway')) };
}

/** Returns the gateway that is asked for, that the site has, or that no site has yet. */
function gatewayOf(gateways: Gateway[], site: SiteDetails | undefined, asked: string | null): Gateway | undefined {
  const used = new Set(site?.devices.map(({ gateway_serial }) => gateway_serial));
  return (
    gateways.find(({ gateway_serial }) => gateway_serial === asked) ??
    gateways.find(({ gateway_serial }) => used.has(gateway_serial)) ??
    gateways.find(({ device_count }) => device_count === 0)
  );
}

export default function SetupPage() {
  const query = pageUrl.value.searchParams;
  const progress = useLoad((signal) => loadProgress(query, signal), [query.toString()]);
  const checks = useSignal<Check[] | undefined>(undefined);
  const current = session.value;
  // Only a key file may be unknown to the platform without the person knowing.
  const isNewByFile = current.state === 'in' && current.isNew && current.isBackedUp;
  const name = progress.value?.site?.name;
  return (
    <>
      <PageHead title={name === undefined ? t('first') : t('title', { name })} says={t('says')} />
      {isNewByFile && <Notice tone="good">{t('registered')}</Notice>}
      <Loaded from={progress}>
        {(value) => {
          if (query.has('site') && !value.site) return <Notice>{t('mayNot')}</Notice>;
          const step = stepOf(value, query);
          return (
            <>
              <StepList current={step} />
              {checks.value && step !== 'values' && <Verified checks={checks.value} />}
              <CurrentStep step={step} progress={value} checks={checks} again={progress.again} />
            </>
          );
        }}
      </Loaded>
      <BackupReminder />
    </>
  );
}

type CurrentProps = { step: StepName; progress: Progress; checks: Signal<Check[] | undefined>; again(): void };

function CurrentStep({ step, progress, checks, again }: CurrentProps): ComponentChildren {
  const { gateway, site, orgId } = progress;
  const isNew = pageUrl.value.searchParams.has('new');
  /** Removes the request from the address, so that the next step follows from what exists. */
  const next = (changes: Record<string, string | undefined> = {}): void => {
    setQuery({ find: undefined, add: undefined, new: undefined, ...changes });
    again();
  };
  if (step === 'gateway' || !gateway) {
    return (
      <GatewayStep
        orgId={orgId}
        onClaimed={(serial, passed) => {
          checks.value = passed;
          next({ gateway: serial, ...(site ? { add: '' } : isNew && { new: '' }) });
        }}
      />
    );
  }
  if (!site) {
    return (
      <SiteStep
        orgId={gateway.org_id}
        serial={gateway.gateway_serial}
        onMade={(id) => {
          rememberSite(id);
          next({ site: id });
        }}
      />
    );
  }
  const Step = step === 'devices' ? DevicesStep : ValuesStep;
  return <Step key={gateway.gateway_serial} site={site} serial={gateway.gateway_serial} next={next} />;
}

function StepList({ current }: { current: StepName }) {
  const at = steps.indexOf(current);
  return (
    <ol class="setup-steps" aria-label={t('steps')}>
      {steps.map((step, i) => (
        <li key={step} class={i < at ? 'done' : undefined} aria-current={i === at ? 'step' : undefined}>
          <span class="mark" aria-hidden="true">
            {i < at ? '✓' : i + 1}
          </span>
          {t(step)}
          {i < at && <span class="hidden">{t('done')}</span>}
        </li>
      ))}
    </ol>
  );
}

const Verified = ({ checks }: { checks: Check[] }) => (
  <details class="setup-verified">
    <summary>
      <span class="tag good">✓ {t('verified')}</span> <span class="says">{t('details')}</span>
    </summary>
    <ClaimChecks from={{ value: checks, isLoading: false, again: () => undefined }} />
  </details>
);
