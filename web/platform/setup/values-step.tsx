import { useEffect } from 'preact/hooks';
import type { SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import { type GatewayDetails, getGateway } from '#contract/cloud/gateways.ts';
import { changeManagedDevice, listManagedDevices } from '#contract/cloud/manage.ts';
import { listNearbyGateways, type NearbyGateway } from '#contract/cloud/nearby.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { derKindOf } from '#contract/der.ts';
import type { ManagedDevice } from '#contract/manage.ts';
import { Problem, type ProblemCode } from '#contract/problem.ts';
import { ActionButton, Button, useAction } from '../../parts/action.tsx';
import { Age, isStale, readingWords } from '../../parts/age.tsx';
import { derWords } from '../../parts/der-words.ts';
import { Card, Notice } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Link, LinkButton } from '../../parts/router.tsx';
import { power, texts } from '../../parts/text.ts';
import { NotifyOffer } from '../alerts/notify.tsx';
import { lastSeenMs } from '../devices/quality.ts';
import { useLive } from '../live.ts';
import { api } from '../session.ts';
import { LiveStatus } from '../site-page.tsx';
import { DevicePicture } from './device-picture.tsx';
import { type Trouble, troubleOf } from './trouble.ts';

const t = texts({
  waitingTitle: 'Waiting for the first values',
  doneTitle: 'Your home is live',
  doneSays: 'Every device sends its values.',
  troubleTitle: 'Some values are missing',
  first: 'Waiting for the first value…',
  open: 'Open your home',
  more: 'Add more devices',
  again: 'Check again',
  send: 'Turn on sending',
  otherGateway: 'Connect another gateway',
  addAgain: 'Search for devices',
  lastValue: 'Last value',
});

const reasons = texts<Exclude<Trouble, 'waiting'>>({
  released: 'The gateway does not belong to you any more. Connect it again.',
  neverConnected:
    'The gateway has not connected to this platform yet. Is it switched on, and is the broker of this platform entered on its own page, under Platform?',
  offline:
    'The gateway is offline. Check its power and its network. It stores its readings and sends them when it is back.',
  clock: 'The clock of the gateway is wrong, so its values cannot be used. Connect it to the internet and restart it.',
  elsewhere:
    'The gateway sends to another platform. Enter the broker of this platform on its own page, under Platform.',
  noBroker:
    'The gateway does not know where to send. Enter the broker of this platform on its own page, under Platform.',
  refused:
    'The gateway cannot log in to the broker it uses. Check the broker on its own page, under Platform. Its log says why it is refused.',
  managementOff:
    'The gateway is online, but sends nothing of this device. Remote management is switched off on the gateway, so only its own page shows the reason.',
  unanswered:
    'The gateway is online, but sends nothing of this device, and does not say why. Its own page shows the reason.',
  notRead:
    'The gateway reads no device with the serial number {serial}. Search for it, or delete it under Devices if the number is wrong.',
  notAnswering: 'The device does not answer the gateway. Check its power and its network cable.',
  notSending: 'Sending is turned off on the gateway.',
  rejected: 'The platform rejects values of the gateway. The page of the gateway lists the reasons.',
});

type StepProps = { site: SiteDetails; serial: string; next(changes?: Record<string, string | undefined>): void };

const askMs = 4000;

/** Facts about a gateway and its devices, loaded again while values are missing. */
type Facts = {
  gateway: GatewayDetails | null;
  managed?: readonly ManagedDevice[];
  refusal?: ProblemCode;
  nearby?: NearbyGateway;
};

async function loadFacts(serial: string, signal: AbortSignal): Promise<Facts> {
  const params = { params: { serial }, signal };
  const gateway = await orProblem(api().call(getGateway, params));
  if (gateway instanceof Problem) return { gateway: null };
  if (!gateway.online) {
    const { gateways } = await api().call(listNearbyGateways, { signal });
    const nearby = gateways.find(({ gateway_serial }) => gateway_serial === serial);
    return { gateway, ...(nearby && { nearby }) };
  }
  const listed = await orProblem(api().call(listManagedDevices, params));
  return { gateway, ...(listed instanceof Problem ? { refusal: listed.code } : { managed: listed.devices }) };
}

/** Returns a refusal of the platform instead of throwing it. */
const orProblem = <Answer,>(asked: Promise<Answer>): Promise<Answer | Problem> =>
  asked.catch((problem: unknown) => {
    const isRefusal = problem instanceof Problem && !['unavailable', 'unauthenticated'].includes(problem.code);
    if (isRefusal) return problem;
    throw problem;
  });

/** Shows the value of each device, or why it has none yet. */
export function ValuesStep({ site, serial, next }: StepProps) {
  const live = useLive(site.id);
  useEffect(() => live.listen(({ type }) => ['device', 'gateway'].includes(type) && next()), [live]);
  const readings = live.readings.value;
  const seenOf = (device: DeviceListing): number | undefined => lastSeenMs(device, readings);
  const missing = site.devices.filter((device) => isStale(seenOf(device)));
  const facts = useLoad(
    (signal) => loadFacts(serial, signal),
    [serial],
    missing.length > 0 && Math.floor(now.value / askMs),
  );
  const { gateway, ...known }: Partial<Facts> = facts.value ?? {};
  const troubleAt = (device: DeviceListing): Trouble | undefined => {
    const seenMs = seenOf(device);
    if (gateway === undefined) return isStale(seenMs) ? 'waiting' : undefined;
    const isOther = device.gateway_serial !== serial;
    return troubleOf({ device, seenMs, nowMs: now.value, gateway, ...(isOther ? {} : known) });
  };
  const troubles = site.devices.map(troubleAt);
  const state =
    missing.length === 0 ? 'done' : troubles.some((each) => each && each !== 'waiting') ? 'trouble' : 'waiting';
  return (
    <Card title={t(`${state}Title`)} {...(state === 'done' && { says: t('doneSays') })} class="setup-card">
      <LiveStatus live={live} />
      <ul class="setup-list" aria-live="polite">
        {site.devices.map((device, i) => (
          <li key={device.id}>
            <DeviceRow
              device={device}
              readings={readings}
              trouble={troubles[i]}
              entry={known.managed?.find(({ sn }) => sn === device.hardware_id)}
              seenMs={seenOf(device)}
              next={next}
            />
          </li>
        ))}
      </ul>
      {state === 'done' && <NotifyOffer siteId={site.id} />}
      <div class="actions">
        {state === 'done' && (
          <LinkButton tone="main" to={`/app/sites/${encodeURIComponent(site.id)}`} label={t('open')} />
        )}
        {state === 'trouble' && <Button tone="main" label={t('again')} onClick={() => facts.again()} />}
        {state !== 'done' && <LinkButton to={`/app/sites/${encodeURIComponent(site.id)}`} label={t('open')} />}
        <Button tone="quiet" label={t('more')} onClick={() => next({ site: site.id, add: '' })} />
        <Button tone="quiet" label={t('otherGateway')} onClick={() => next({ site: site.id, find: '' })} />
      </div>
    </Card>
  );
}

type RowProps = {
  device: DeviceListing;
  readings: ReadonlyMap<string, SiteReading>;
  trouble: Trouble | undefined;
  entry: ManagedDevice | undefined;
  seenMs: number | undefined;
  next: StepProps['next'];
};

function DeviceRow({ device, readings, trouble, entry, seenMs, next }: RowProps) {
  const { type, name, ders, gateway_serial } = device;
  const send = useAction(async () => {
    const kinds = ders.map((der) => derKindOf[der.type]);
    const body = { ders: kinds.map((kind) => ({ type: kind, enabled: true })) };
    await api().call(changeManagedDevice, { params: { serial: gateway_serial, sn: device.hardware_id }, body });
  });
  return (
    <div class="setup-row">
      <DevicePicture of={type} />
      <span class="setup-name">
        <b>{name}</b>
        {trouble === 'waiting' && seenMs === undefined && <span class="says">{t('first')}</span>}
        {(trouble === undefined || seenMs !== undefined) && (
          <span class="setup-values">
            {ders.map((der) => (
              <DerValue key={der.id} type={der.type} reading={readings.get(der.id)} />
            ))}
          </span>
        )}
        {trouble !== undefined && seenMs !== undefined && (
          <span class="says">
            {t('lastValue')} <Age ms={seenMs} />
          </span>
        )}
      </span>
      <span
        aria-hidden="true"
        class={trouble === undefined ? 'mark good' : trouble === 'waiting' ? 'mark busy' : 'mark'}
      >
        {trouble === undefined ? '✓' : trouble === 'waiting' ? '' : '!'}
      </span>
      {trouble !== undefined && trouble !== 'waiting' && (
        <Notice tone="warning">
          <p>{reasons(trouble, { serial: device.hardware_id })}</p>
          {trouble === 'notAnswering' && entry?.error && <p lang="en">{entry.error}</p>}
          {trouble === 'notSending' && <ActionButton does={send} label={t('send')} />}
          {trouble === 'notRead' && <Button label={t('addAgain')} onClick={() => next({ add: '' })} />}
          {trouble === 'released' && <Button label={t('otherGateway')} onClick={() => next({ find: '' })} />}
          {trouble === 'rejected' && (
            <Link to={`/app/gateways?gateway=${encodeURIComponent(gateway_serial)}`}>{t('gateway')}</Link>
          )}
        </Notice>
      )}
    </div>
  );
}

/** Shows the power of a part, unless it is out of date. */
function DerValue({
  type,
  reading,
}: {
  type: DeviceListing['ders'][number]['type'];
  reading: SiteReading | undefined;
}) {
  if (reading?.W === undefined || isStale(reading.timestamp)) return null;
  return (
    <span>
      {derWords(type)} <b>{power(reading.W)}</b> <span class="says">{readingWords(type, reading)}</span>
    </span>
  );
}
