import { useSignal } from '@preact/signals';
import { type DeviceListing, provisionDevice } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type DeviceEntry, listDevices, listSupported } from '#contract/gateway/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { included } from '../../../parts/bound-value.ts';
import { derWords } from '../../../parts/der-words.ts';
import { Field, Switch } from '../../../parts/field.tsx';
import { Notice } from '../../../parts/layout.tsx';
import { PageProblem } from '../../../parts/problem-words.ts';
import { texts } from '../../../parts/text.ts';
import { findGateway, lastAddress } from '../../gateways/local-gateway.ts';
import { api } from '../../session.ts';
import { type DeviceRequest, defaultKinds, derTypeFor, devicesOfGateway, entryRequest } from './device-request.ts';

const t = texts({
  address: 'Gateway’s local address',
  ask: 'Find devices',
  other: 'The gateway at {url} is {serial}, not the one selected above. Select that one or try another address.',
  none: 'The gateway reads no devices yet. Add one at {url}, then try again.',
  subMeter: 'Measures a single circuit (such as a heat pump), not the grid connection',
  update: 'Update',
  here: 'Added',
  choose: 'Select at least one part.',
  lost: 'Not responding',
  notSent: 'The gateway does not send {what} yet. Turn it on at {url}.',
  added: 'Added to {site}. Values appear within seconds.',
});

/** Adds a device to a site, or updates it. An empty name leaves the choice to the platform. */
export async function provision(request: DeviceRequest, serial: string, site_id: string, name: string, model?: string) {
  if (request.ders.length === 0) throw new PageProblem('invalid_request', t('choose'));
  const named = { ...(name.trim() && { name: name.trim() }), ...(model && { model }) };
  return api().call(provisionDevice, { body: { ...request, gateway_serial: serial, site_id, ...named } });
}

export type AddFormProps = { serial: string; site: SiteDetails; again(): void };

/** Asks the gateway over the local network and lists its devices. */
export function FromGateway({ serial, site, again }: AddFormProps) {
  const address = useSignal(lastAddress(serial));
  const ask = useAction(async () => {
    const { url, call, serial: found } = await findGateway(address.value, '');
    const { devices } = await call(listDevices);
    const supported = Object.values(await call(listSupported));
    const profiles = supported.flatMap((group) => (typeof group === 'number' ? [] : group)); // without the count
    const known = devicesOfGateway(found, site.devices);
    const newFirst = devices.toSorted((a, b) => Number(known.has(a.sn)) - Number(known.has(b.sn)));
    return { url, serial: found, devices: newFirst, profiles, known };
  });
  const listing = ask.result;
  return (
    <>
      <ActionForm does={ask} submit={t('ask')}>
        <Field label={t('address')} says={t('localAddressSays')} value={address} required />
      </ActionForm>
      {listing && listing.serial !== serial && (
        <Notice tone="warning">{t('other', { url: listing.url, serial: listing.serial })}</Notice>
      )}
      {listing?.serial === serial && listing.devices.length === 0 && <Notice>{t('none', { url: listing.url })}</Notice>}
      {listing?.serial === serial && (
        <ul class="add-entries">
          {listing.devices.map((entry) => (
            <li key={entry.sn}>
              <EntryForm
                entry={entry}
                model={listing.profiles.find(({ profile }) => profile === entry.profile)?.display_name}
                gateway={listing}
                added={listing.known.get(entry.sn)}
                site={site}
                again={again}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type EntryProps = {
  entry: DeviceEntry;
  /** display name of the device's profile */
  model: string | undefined;
  gateway: { url: string; serial: string };
  /** the device on the platform, if it was added before */
  added: DeviceListing | undefined;
  site: SiteDetails;
  again(): void;
};

/** Adds or updates one device that the gateway reads. */
function EntryForm({ entry, model, gateway, added, site, again }: EntryProps) {
  const known = useSignal(added);
  const name = useSignal(added?.name ?? '');
  const kinds = useSignal<readonly DerKind[]>(defaultKinds(entry));
  const isSubMeter = useSignal(added?.type === 'meter');
  const add = useAction(async () => {
    const request = entryRequest(entry, kinds.value, { isSubMeter: isSubMeter.value });
    known.value = await provision(request, gateway.serial, site.id, name.value, model);
    again();
    return known.value;
  });
  const silent = entry.ders.filter(({ type, enabled }) => !enabled && kinds.value.includes(type));
  return (
    <ActionForm does={add} submit={t(known.value ? 'update' : 'addDevice')} class="add-entry">
      <h3>
        {model ?? entry.profile} <code>{entry.sn}</code> {known.value && <span class="tag good">{t('here')}</span>}{' '}
        {!entry.connected && <span class="tag warning">{t('lost')}</span>}
      </h3>
      {entry.error && <p class="says">{entry.error}</p>}
      <div class="add-ders">
        {entry.ders.map(({ type }) => (
          <Switch key={type} label={derWords(derTypeFor(type, isSubMeter.value))} value={included(kinds, type)} />
        ))}
      </div>
      {entry.device_type === 'energy_meter' && <Switch label={t('subMeter')} value={isSubMeter} />}
      <Field label={t('name')} value={name} placeholder={model ?? entry.sn} maxLength={128} />
      {silent.length > 0 && (
        <p class="says">
          {t('notSent', {
            what: silent.map(({ type }) => derWords(derTypeFor(type, isSubMeter.value)).toLowerCase()).join(', '),
            url: gateway.url,
          })}
        </p>
      )}
      {add.result && <Notice tone="good">{t('added', { site: site.name })}</Notice>}
    </ActionForm>
  );
}
