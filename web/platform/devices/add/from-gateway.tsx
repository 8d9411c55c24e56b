import { useSignal } from '@preact/signals';
import { type Device, getDevice } from '#contract/cloud/devices.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type DeviceEntry, listDevices, listSupported, type SupportedProfile } from '#contract/gateway/devices.ts';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { Field } from '../../../parts/field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { texts } from '../../../parts/text.ts';
import { findGateway, inTheHouse, knownAddress } from '../../gateways/local-gateway.ts';
import { api as platform } from '../../session.ts';
import { EntryForm } from './entry-form.tsx';
import { knownDevices } from './wanted-device.ts';

const t = texts({
  en: {
    address: 'Address of the gateway in the house',
    says: 'http://localhost:8081 when it runs on this device, else its name in the network, as in http://zap-ohm-1234.local:8081. Remembered in this browser.',
    ask: 'Ask it',
    other: 'The gateway at {url} is {serial}, not the one chosen above. Choose that one, or ask at another address.',
    none: 'It reads no device yet. Connect one on its own page, {url}, then ask again.',
  },
  sv: {
    address: 'Gatewayens adress i huset',
    says: 'http://localhost:8081 om den körs på den här enheten, annars dess namn i nätet, som http://zap-ohm-1234.local:8081. Sparas i webbläsaren.',
    ask: 'Fråga den',
    other: 'Gatewayen på {url} är {serial}, inte den som valts ovan. Välj den, eller fråga på en annan adress.',
    none: 'Den läser ingen enhet ännu. Anslut en på dess egen sida, {url}, och fråga sedan igen.',
  },
});

type Answer = {
  url: string;
  serial: string;
  devices: DeviceEntry[];
  profiles: SupportedProfile[];
  known: Map<string, Device>;
};

export type WayProps = { serial: string; site: SiteDetails; again(): void };

/** Asks the gateway itself, on the network of the house, and offers what it reads. */
export function FromGateway({ serial, site, again }: WayProps) {
  const address = useSignal(knownAddress(serial));
  const answer = useSignal<Answer | undefined>(undefined);
  const ask = useAction(async () => {
    answer.value = undefined;
    const gateway = await findGateway(address.value, '');
    const { url, api } = gateway;
    const { devices } = await inTheHouse(url, api.call(listDevices));
    const { count: _, ...categories } = await inTheHouse(url, api.call(listSupported));
    const profiles = Object.values(categories).flat() as SupportedProfile[];
    const known = await knownDevices({ serial: gateway.serial, devices }, site.devices, (device_id) =>
      platform().call(getDevice, { params: { device_id } }),
    );
    const newFirst = devices.toSorted((a, b) => Number(known.has(a.sn)) - Number(known.has(b.sn)));
    answer.value = { url, serial: gateway.serial, devices: newFirst, profiles, known };
  });
  const heard = answer.value;
  return (
    <>
      <ActionForm does={ask} submit={t('ask')}>
        <Field label={t('address')} says={t('says')} value={address} required />
      </ActionForm>
      {heard && heard.serial !== serial && (
        <Notice tone="warning">{t('other', { url: heard.url, serial: heard.serial })}</Notice>
      )}
      {heard?.serial === serial && heard.devices.length === 0 && <Notice>{t('none', { url: heard.url })}</Notice>}
      {heard?.serial === serial && (
        <ul class="add-entries">
          {heard.devices.map((entry) => (
            <li key={entry.sn}>
              <EntryForm
                entry={entry}
                model={heard.profiles.find(({ profile }) => profile === entry.profile)?.display_name}
                gateway={heard}
                added={heard.known.get(entry.sn)}
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
