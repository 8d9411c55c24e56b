import { useSignal } from '@preact/signals';
import { type Device, getDevice } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type DeviceEntry, listDevices, listSupported, type SupportedProfile } from '#contract/gateway/devices.ts';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { Field } from '../../../parts/field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { texts } from '../../../parts/text.ts';
import { explainLocalFailure, findGateway, lastAddress } from '../../gateways/local-gateway.ts';
import { api as platform } from '../../session.ts';
import { findAddedDevices } from './device-request.ts';
import { EntryForm } from './entry-form.tsx';

const t = texts({
  address: ['Gateway’s local address', 'Gatewayens lokala adress'],
  says: [
    'http://localhost:8081 if it runs on this computer, otherwise its name on the local network, such as http://zap-ohm-1234.local:8081. Saved in this browser.',
    'http://localhost:8081 om den körs på den här datorn, annars dess namn i det lokala nätverket, till exempel http://zap-ohm-1234.local:8081. Sparas i webbläsaren.',
  ],
  ask: ['Find devices', 'Hitta enheter'],
  other: [
    'The gateway at {url} is {serial}, not the one selected above. Select that one or try another address.',
    'Gatewayen på {url} är {serial}, inte den som är vald ovan. Välj den eller prova en annan adress.',
  ],
  none: [
    'The gateway reads no devices yet. Add one at {url}, then try again.',
    'Gatewayen läser inte av några enheter ännu. Lägg till en på {url} och försök igen.',
  ],
});

type GatewayAnswer = {
  url: string;
  serial: string;
  devices: DeviceEntry[];
  profiles: SupportedProfile[];
  known: Map<string, Device>;
};

export type AddFormProps = { serial: string; site: SiteDetails; again(): void };

/** Asks the gateway over the local network and lists its devices. */
export function FromGateway({ serial, site, again }: AddFormProps) {
  const address = useSignal(lastAddress(serial));
  const answer = useSignal<GatewayAnswer | undefined>(undefined);
  const ask = useAction(async () => {
    answer.value = undefined;
    const gateway = await findGateway(address.value, '');
    const { url, api } = gateway;
    const { devices } = await explainLocalFailure(url, api.call(listDevices));
    const { count: _, ...categories } = await explainLocalFailure(url, api.call(listSupported));
    const profiles = Object.values(categories).flat() as SupportedProfile[];
    const known = await findAddedDevices({ serial: gateway.serial, devices }, site.devices, (device_id) =>
      platform().call(getDevice, { params: { device_id } }),
    );
    const newFirst = devices.toSorted((a, b) => Number(known.has(a.sn)) - Number(known.has(b.sn)));
    answer.value = { url, serial: gateway.serial, devices: newFirst, profiles, known };
  });
  const listing = answer.value;
  return (
    <>
      <ActionForm does={ask} submit={t('ask')}>
        <Field label={t('address')} says={t('says')} value={address} required />
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
