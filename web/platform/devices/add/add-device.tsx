import { useSignal } from '@preact/signals';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { type Gateway, listGateways } from '#contract/cloud/gateways.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type DerTypeId, type DeviceTypeId, deviceTypeIds } from '#contract/der.ts';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { Card } from '../../../parts/card.tsx';
import { derWords } from '../../../parts/der-words.ts';
import { Field, Segments, Select, Switch } from '../../../parts/field.tsx';
import { gather } from '../../../parts/gather.ts';
import { Loaded, useLoad } from '../../../parts/load.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { PageProblem } from '../../../parts/problem-words.ts';
import { Link, pageUrl } from '../../../parts/router.tsx';
import { texts } from '../../../parts/text.ts';
import { api } from '../../session.ts';
import { deviceTypeWords } from '../device-words.ts';
import { FromGateway, type WayProps } from './from-gateway.tsx';
import { derChoices, wantedByHand } from './wanted-device.ts';

const t = texts({
  en: {
    title: 'Add a device',
    done: 'Done adding',
    gateway: 'The gateway that reads it',
    online: '{serial}, connected',
    offline: '{serial}, not connected',
    how: 'How to find the device',
    ask: 'Ask the gateway what it reads',
    hand: 'By hand',
    none: 'The organization of this site has no gateway. Claim the one that reads the device first.',
    claim: 'Claim a gateway',
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
    title: 'Lägg till en enhet',
    done: 'Klar',
    gateway: 'Gatewayen som läser den',
    online: '{serial}, ansluten',
    offline: '{serial}, inte ansluten',
    how: 'Hur enheten hittas',
    ask: 'Fråga gatewayen vad den läser',
    hand: 'För hand',
    none: 'Anläggningens organisation har ingen gateway. Ta först över den som läser enheten.',
    claim: 'Ta över en gateway',
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

type AddProps = { site: SiteDetails; again(): void };

/** Makes a device of a claimed gateway known to the site, so that its values are kept and shown. */
export function AddDevice({ site, again }: AddProps) {
  const { org_id, id } = site;
  const gateways = useLoad((signal) => gather(api().pages(listGateways, { query: { org_id }, signal })), [org_id]);
  return (
    <Card title={t('title')} beside={<Link to={`/app/sites/${encodeURIComponent(id)}/devices`}>{t('done')}</Link>}>
      <Loaded from={gateways}>
        {(list) =>
          list.length === 0 ? (
            <p class="says">
              {t('none')} <Link to={`/app/gateways/claim?site=${id}`}>{t('claim')}</Link>
            </p>
          ) : (
            <Ways site={site} gateways={list} again={again} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Ways({ site, gateways, again }: AddProps & { gateways: readonly Gateway[] }) {
  const asked = gateways.find(({ gateway_serial }) => gateway_serial === pageUrl.value.searchParams.get('add'));
  const serial = useSignal((asked ?? gateways[0]!).gateway_serial);
  const how = useSignal('ask');
  const Way = how.value === 'ask' ? FromGateway : ByHand;
  return (
    <>
      <Select
        label={t('gateway')}
        value={serial}
        choices={gateways.map(({ gateway_serial, online }) => ({
          value: gateway_serial,
          label: t(online ? 'online' : 'offline', { serial: gateway_serial }),
        }))}
      />
      <Segments
        label={t('how')}
        value={how}
        choices={[
          { value: 'ask', label: t('ask') },
          { value: 'hand', label: t('hand') },
        ]}
      />
      <Way key={serial.value} serial={serial.value} site={site} again={again} />
    </>
  );
}

/** For a gateway that this page cannot ask. */
function ByHand({ serial, site, again }: WayProps) {
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
