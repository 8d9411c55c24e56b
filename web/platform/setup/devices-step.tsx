import { useSignal } from '@preact/signals';
import { addManagedDevice, changeManagedDevice } from '#contract/cloud/manage.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import { ActionForm, Button, useAction } from '../../parts/action.tsx';
import { boundValue } from '../../parts/bound-value.ts';
import { Field, Select } from '../../parts/field.tsx';
import { Card, Failed, Loading, Notice } from '../../parts/layout.tsx';
import { describeProblem, PageProblem } from '../../parts/problem-words.ts';
import { Link } from '../../parts/router.tsx';
import { number, texts } from '../../parts/text.ts';
import { entryRequest } from '../devices/add/device-request.ts';
import { provision } from '../devices/add/from-gateway.tsx';
import { deviceTypeWords } from '../devices/device-words.ts';
import { api } from '../session.ts';
import { DevicePicture } from './device-picture.tsx';
import { type Candidate, candidatesOf, distinctNames, partsToSend } from './found-devices.ts';
import { useScan } from './use-scan.ts';

const t = texts({
  title: 'Your devices',
  searching: 'The gateway is searching its network: {checked} of {total} addresses checked.',
  starting: 'The gateway is starting a search…',
  connecting: 'Waiting for the gateway to connect to this platform…',
  connectingSays:
    'This takes a few seconds. If it does not connect: is the gateway switched on, does it have internet, and is the broker of this platform entered on its own page?',
  found: '{count} found. Choose what to add.',
  none: 'No new devices found. Check that they are switched on, connected to the same network as the gateway, and that Modbus TCP is enabled on them.',
  managementOff:
    'Remote management is switched off on the gateway. Switch it on there, under Platform, or add the devices on its own page.',
  unanswered: 'The gateway does not support remote management. Add the devices on its own page and then here, by hand.',
  byHand: 'Add by hand',
  missing:
    'Is a device missing? The search finds devices with Modbus TCP. Add a P1 meter, or a device on a serial line or with MQTT, on the gateway’s own page, and search again.',
  again: 'Search again',
  chosen: 'Add {name}',
  nameOf: 'Name of {name}',
  measures: 'Measures',
  wholeHome: 'The grid connection',
  circuit: 'One circuit',
  addOne: 'Add 1 device',
  addAll: 'Add {count} devices',
  failed: '{name}: {reason}',
  someFailed: 'Not all devices were added.',
  goOn: 'Continue without them',
});

type StepProps = { site: SiteDetails; serial: string; next(changes?: Record<string, string | undefined>): void };

/** The choices of the person for a candidate. */
type Choice = { isChosen: boolean; name: string; isSubMeter: boolean };

/** Lets the gateway search, and adds the chosen devices: on the gateway, on the platform, and their sending. */
export function DevicesStep({ site, serial, next }: StepProps) {
  const { search, again } = useScan(serial);
  const { scan, managed, problem } = search;
  const choices = useSignal<Readonly<Record<string, Choice>>>({});
  const failures = useSignal<readonly string[]>([]);
  const known = site.devices.filter((device) => device.gateway_serial === serial && device.state !== 'orphaned');
  const candidates = candidatesOf(managed ?? [], scan?.found ?? [], new Set(known.map((each) => each.hardware_id)));
  const usual = distinctNames(
    candidates.map(({ type, isSubMeter }) => deviceTypeWords(isSubMeter ? 'meter' : type)),
    site.devices.map(({ name }) => name),
  );
  const rows = candidates.map((candidate, i) => {
    const { isChosen, isSubMeter, key } = candidate;
    return { candidate, choice: choices.value[key] ?? { isChosen, isSubMeter, name: usual[i]! } };
  });
  const chosen = rows.filter(({ choice }) => choice.isChosen);
  const hasGridMeter =
    chosen.some(({ candidate, choice }) => candidate.type === 'energy_meter' && !choice.isSubMeter) ||
    known.some(({ type }) => type === 'energy_meter');
  const add = useAction(async () => {
    failures.value = [];
    for (const { candidate, choice } of chosen) {
      try {
        await addOne({ candidate, choice, hasGridMeter, serial, siteId: site.id });
      } catch (cause) {
        failures.value = [...failures.value, t('failed', { name: choice.name, reason: reasonOf(cause) })];
      }
    }
    if (failures.value.length === chosen.length) throw new PageProblem('device_failed', t('someFailed'));
    if (failures.value.length === 0) next();
  });
  return (
    <Card title={t('title')} class="setup-card">
      {problem === undefined ? (
        <Progress scan={scan} count={candidates.length} />
      ) : (
        <Refusal {...{ problem, serial, site }} />
      )}
      <ActionForm
        does={add}
        submit={chosen.length === 1 ? t('addOne') : t('addAll', { count: number(chosen.length) })}
        isDisabled={chosen.length === 0 || scan?.state === 'running'}
        beside={scan?.state === 'done' && <Button tone="plain" label={t('again')} onClick={again} />}
      >
        <ul class="setup-list">
          {rows.map(({ candidate, choice }) => (
            <li key={candidate.key}>
              <CandidateRow
                candidate={candidate}
                choice={choice}
                onChange={(changed) =>
                  (choices.value = { ...choices.value, [candidate.key]: { ...choice, ...changed } })
                }
              />
            </li>
          ))}
        </ul>
        {failures.value.length > 0 && (
          <Notice tone="warning">
            {failures.value.map((text) => (
              <p key={text}>{text}</p>
            ))}
            {failures.value.length < chosen.length && <Button label={t('goOn')} onClick={() => next()} />}
          </Notice>
        )}
      </ActionForm>
      {scan?.state === 'done' && (
        <p class="says">
          {t('missing')} <ByHand siteId={site.id} serial={serial} />
        </p>
      )}
    </Card>
  );
}

const ByHand = ({ siteId, serial }: { siteId: string; serial: string }) => (
  <Link to={`/app/sites/${encodeURIComponent(siteId)}/devices?add=${encodeURIComponent(serial)}`}>{t('byHand')}</Link>
);

const reasonOf = (cause: unknown): string =>
  cause instanceof Problem ? describeProblem(cause).says : cause instanceof Error ? cause.message : String(cause);

type ProgressProps = { scan: ReturnType<typeof useScan>['search']['scan']; count: number };

function Progress({ scan, count }: ProgressProps) {
  if (!scan) return <Loading lines={2} />;
  if (scan.state === 'running') {
    const { checked, total } = scan;
    return (
      <div role="status">
        <p>{total === 0 ? t('starting') : t('searching', { checked: number(checked), total: number(total) })}</p>
        <progress aria-label={t('title')} max={Math.max(total, 1)} value={checked} />
      </div>
    );
  }
  return <p role="status">{count === 0 ? t('none') : t('found', { count: number(count) })}</p>;
}

/** Says why the gateway cannot be asked, and what else leads on. */
function Refusal({ problem, serial, site }: { problem: unknown; serial: string; site: SiteDetails }) {
  const code = problem instanceof Problem ? problem.code : undefined;
  if (code === 'gateway_offline') {
    return (
      <Notice>
        <p>{t('connecting')}</p>
        <p>{t('connectingSays')}</p>
      </Notice>
    );
  }
  if (code !== 'management_refused' && code !== 'gateway_unanswered') return <Failed problem={problem} />;
  return (
    <Notice tone="warning">
      <p>{t(code === 'management_refused' ? 'managementOff' : 'unanswered')}</p>
      <ByHand siteId={site.id} serial={serial} />
    </Notice>
  );
}

type RowProps = { candidate: Candidate; choice: Choice; onChange(changed: Partial<Choice>): void };

function CandidateRow({ candidate: { product, type }, choice, onChange }: RowProps) {
  const name = boundValue(
    () => choice.name,
    (next) => onChange({ name: next }),
  );
  const measures = boundValue<'home' | 'circuit'>(
    () => (choice.isSubMeter ? 'circuit' : 'home'),
    (next) => onChange({ isSubMeter: next === 'circuit' }),
  );
  return (
    <div class="setup-row">
      <input
        type="checkbox"
        aria-label={t('chosen', { name: choice.name })}
        checked={choice.isChosen}
        onChange={({ currentTarget }) => onChange({ isChosen: currentTarget.checked })}
      />
      <DevicePicture of={type} />
      <div class="setup-name">
        <Field label={t('nameOf', { name: product })} value={name} maxLength={128} required={choice.isChosen} />
        {type === 'energy_meter' && (
          <Select
            label={t('measures')}
            value={measures}
            choices={[
              { value: 'home', label: t('wholeHome') },
              { value: 'circuit', label: t('circuit') },
            ]}
          />
        )}
      </div>
    </div>
  );
}

type Adding = { candidate: Candidate; choice: Choice; hasGridMeter: boolean; serial: string; siteId: string };

async function addOne({ candidate, choice, hasGridMeter, serial, siteId }: Adding): Promise<void> {
  const { found, managed, type } = candidate;
  const asked = { params: { serial } };
  const device = managed ?? (await api().call(addManagedDevice, { ...asked, body: found!.connection })).device;
  const kinds = partsToSend(type, device.ders, hasGridMeter).map((part) => part.type);
  const request = entryRequest(device, kinds, { isSubMeter: choice.isSubMeter });
  await provision(request, serial, siteId, choice.name, candidate.product);
  const ders = device.ders.map((part) => ({ type: part.type, enabled: kinds.includes(part.type) }));
  await api().call(changeManagedDevice, { params: { serial, sn: device.sn }, body: { ders } });
}
