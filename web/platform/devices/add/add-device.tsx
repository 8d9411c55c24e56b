import { useSignal } from '@preact/signals';
import { type Gateway, listGateways } from '#contract/cloud/gateways.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type DerTypeId, type DeviceTypeId, deviceTypeIds } from '#contract/der.ts';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { boundValue, included } from '../../../parts/bound-value.ts';
import { derWords } from '../../../parts/der-words.ts';
import { choicesOf, Field, Segments, Select, Switch } from '../../../parts/field.tsx';
import { Card, Notice } from '../../../parts/layout.tsx';
import { Loaded, useLoad } from '../../../parts/load.tsx';
import { Link, pageUrl } from '../../../parts/router.tsx';
import { texts } from '../../../parts/text.ts';
import { api } from '../../session.ts';
import { deviceTypeWords } from '../device-words.ts';
import { derChoices, manualRequest } from './device-request.ts';
import { type AddFormProps, FromGateway, provision } from './from-gateway.tsx';

const t = texts({
  done: 'Done',
  online: '{serial} (online)',
  offline: '{serial} (offline)',
  ask: 'Find on gateway',
  none: 'This site’s organization has no gateway. Claim one first.',
  hardwareSays: 'The device’s serial number exactly as shown by the gateway.',
  type: 'Device type',
  ders: 'Parts',
  name: 'Name (optional)',
  added: '{name} was added to {site}. Values appear as soon as the gateway sends them.',
  updated: '{name} already existed and has been updated.',
});

type AddProps = { site: SiteDetails; again(): void };

/** Adds a device of a claimed gateway to the site, so that its data is stored. */
export function AddDevice({ site, again }: AddProps) {
  const { org_id, id } = site;
  const gateways = useLoad(
    (signal) => Array.fromAsync(api().pages(listGateways, { query: { org_id }, signal })),
    [org_id],
  );
  return (
    <Card title={t('addDevice')} beside={<Link to={`/app/sites/${encodeURIComponent(id)}/devices`}>{t('done')}</Link>}>
      <Loaded from={gateways}>
        {([first, ...others]) =>
          first ? (
            <AddForms site={site} gateways={[first, ...others]} again={again} />
          ) : (
            <p class="says">
              {t('none')} <Link to={`/app/gateways/claim?site=${id}`}>{t('claimGateway')}</Link>
            </p>
          )
        }
      </Loaded>
    </Card>
  );
}

function AddForms({ site, gateways, again }: AddProps & { gateways: readonly [Gateway, ...Gateway[]] }) {
  const asked = gateways.find(({ gateway_serial }) => gateway_serial === pageUrl.value.searchParams.get('add'));
  const serial = useSignal((asked ?? gateways[0]).gateway_serial);
  const how = useSignal<'ask' | 'manual'>('ask');
  const Way = how.value === 'ask' ? FromGateway : ManualForm;
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
      <Segments label={t('method')} value={how} choices={choicesOf(['ask', 'manual'], t)} />
      <Way key={serial.value} serial={serial.value} site={site} again={again} />
    </>
  );
}

/** For a gateway that this page cannot reach. */
function ManualForm({ serial, site, again }: AddFormProps) {
  const hardware = useSignal('');
  const type = useSignal<DeviceTypeId>('inverter');
  const ders = useSignal<Partial<Record<DeviceTypeId, readonly DerTypeId[]>>>({});
  const name = useSignal('');
  const deviceType = type.value;
  const choices = derChoices(deviceType);
  const chosen = boundValue<readonly DerTypeId[]>(
    () => ders.value[deviceType] ?? choices.slice(0, 1),
    (next) => (ders.value = { ...ders.peek(), [deviceType]: next }),
  );
  const add = useAction(async () => {
    const request = manualRequest(hardware.value, deviceType, chosen.value);
    const device = await provision(request, serial, site.id, name.value);
    hardware.value = '';
    name.value = '';
    again();
    return t(device.created ? 'added' : 'updated', { name: device.name, site: site.name });
  });
  return (
    <ActionForm does={add} submit={t('addDevice')}>
      <Field label={t('hardwareId')} says={t('hardwareSays')} value={hardware} maxLength={128} required />
      <Select label={t('type')} value={type} choices={choicesOf(deviceTypeIds, deviceTypeWords)} />
      <fieldset class="add-ders">
        <legend>{t('ders')}</legend>
        {choices.map((der) => (
          <Switch key={der} label={derWords(der)} value={included(chosen, der)} isDisabled={choices.length === 1} />
        ))}
      </fieldset>
      <Field label={t('name')} value={name} maxLength={128} />
      {add.result && <Notice tone="good">{add.result}</Notice>}
    </ActionForm>
  );
}
