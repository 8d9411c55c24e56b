import { useSignal } from '@preact/signals';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { type DerTypeId, type DeviceTypeId, deviceTypeIds } from '#contract/der.ts';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { derWords } from '../../../parts/der-words.ts';
import { Field, Select, Switch } from '../../../parts/field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { PageProblem } from '../../../parts/problem-words.ts';
import { texts } from '../../../parts/text.ts';
import { api } from '../../session.ts';
import { deviceTypeWords } from '../device-words.ts';
import type { WayProps } from './from-gateway.tsx';
import { derChoices, wantedByHand } from './wanted-device.ts';

const t = texts({
  en: {
    hardware: 'Hardware id',
    hardwareSays:
      'The serial of the device exactly as its gateway shows it: whatever the gateway sends is found by it.',
    type: 'What it is',
    ders: 'What it has',
    choose: 'Choose what it has first.',
    name: 'What you call it (may be left out)',
    add: 'Add it',
    added: '{name} is added to {site}. Its values come as soon as the gateway sends them.',
    updated: '{name} was there already, and is brought up to date.',
  },
  sv: {
    hardware: 'Hårdvaru-id',
    hardwareSays: 'Enhetens serienummer precis som gatewayen visar det: det som gatewayen skickar hittas genom det.',
    type: 'Vad det är',
    ders: 'Vad den har',
    choose: 'Välj först vad den har.',
    name: 'Vad du kallar den (kan utelämnas)',
    add: 'Lägg till',
    added: '{name} är tillagd i {site}. Värdena kommer så snart gatewayen skickar dem.',
    updated: '{name} fanns redan och är uppdaterad.',
  },
});

/** For a gateway that this page cannot ask. */
export function ByHand({ serial, site, again }: WayProps) {
  const hardware = useSignal('');
  const type = useSignal<string>('inverter');
  const ders = useSignal<Partial<Record<DeviceTypeId, readonly DerTypeId[]>>>({});
  const name = useSignal('');
  const said = useSignal('');
  const deviceType = type.value as DeviceTypeId;
  const choices = derChoices(deviceType);
  const chosen = ders.value[deviceType] ?? choices.slice(0, 1);
  const add = useAction(async () => {
    said.value = '';
    if (chosen.length === 0) throw new PageProblem('invalid_request', t('choose'));
    const called = name.value.trim();
    const body = {
      ...wantedByHand(hardware.value, deviceType, chosen),
      gateway_serial: serial,
      site_id: site.id,
      ...(called && { name: called }),
    };
    const device = await api().call(provisionDevice, { body });
    said.value = t(device.created ? 'added' : 'updated', { name: device.name, site: site.name });
    hardware.value = '';
    name.value = '';
    again();
  });
  return (
    <ActionForm does={add} submit={t('add')}>
      <Field label={t('hardware')} says={t('hardwareSays')} value={hardware} maxLength={128} required />
      <Select
        label={t('type')}
        value={type}
        choices={deviceTypeIds.map((id) => ({ value: id, label: deviceTypeWords(id) }))}
      />
      <fieldset class="add-ders">
        <legend>{t('ders')}</legend>
        {choices.map((der) => (
          <Switch
            key={der}
            label={derWords(der)}
            isOn={chosen.includes(der)}
            isDisabled={choices.length === 1}
            onChange={(isOn) => {
              const others = chosen.filter((other) => other !== der);
              ders.value = { ...ders.peek(), [deviceType]: isOn ? [...others, der] : others };
            }}
          />
        ))}
      </fieldset>
      <Field label={t('name')} value={name} maxLength={128} />
      {said.value && <Notice tone="good">{said.value}</Notice>}
    </ActionForm>
  );
}
