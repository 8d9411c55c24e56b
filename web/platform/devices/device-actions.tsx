import { useSignal } from '@preact/signals';
import { type DeviceListing, deleteDevice, updateDevice } from '#contract/cloud/devices.ts';
import { ActionButton, ActionForm, Button, ConfirmButton, Dialog, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { provision } from './add/from-gateway.tsx';
import type { OnlineGateways } from './status-tags.tsx';

const t = texts({
  renameOf: 'Rename {name}',
  name: 'Device name',
  remove: 'Delete',
  removeOf: 'Delete {name}',
  removeSays: 'The device disappears from all pages, and new data is not stored. The gateway keeps reading it.',
  history:
    'Its history is erased within 24 hours and cannot be restored, even if you add the device again. Export what you want to keep first.',
  toHistory: 'Go to history',
  again: 'Add again',
  againOf: 'Add {name} again',
  claim: 'Claim its gateway',
});

type ActionsProps = {
  device: DeviceListing;
  siteId: string;
  gateways: OnlineGateways | undefined;
  onChanged(): void;
  onDeleted(): void;
};

export function DeviceActions({ device, siteId, gateways, onChanged, onDeleted }: ActionsProps) {
  const { id, name } = device;
  const params = { device_id: id };
  const isRenaming = useSignal(false);
  const wanted = useSignal(name);
  const rename = useAction(async () => {
    await api().call(updateDevice, { params, body: { name: wanted.value.trim() } });
    onChanged();
    isRenaming.value = false;
  });
  const remove = async (): Promise<void> => {
    await api().call(deleteDevice, { params });
    onDeleted();
  };
  return (
    <div class="device-actions">
      {device.state === 'orphaned' && gateways && (
        <AddAgain {...{ device, siteId, onChanged }} isClaimed={gateways.has(device.gateway_serial)} />
      )}
      <Button
        tone="quiet"
        label={t('rename')}
        ariaLabel={t('renameOf', { name })}
        onClick={() => {
          wanted.value = name;
          isRenaming.value = true;
        }}
      />
      <ConfirmButton
        tone="quiet"
        label={t('remove')}
        ariaLabel={t('removeOf', { name })}
        title={t('removeOf', { name })}
        work={remove}
      >
        <p>{t('removeSays')}</p>
        <p>
          {t('history')} <Link to={`/app/sites/${siteId}/history`}>{t('toHistory')}</Link>
        </p>
      </ConfirmButton>
      {isRenaming.value && (
        <Dialog title={t('renameOf', { name })} onClose={() => (isRenaming.value = false)}>
          <ActionForm does={rename} submit={t('rename')}>
            <Field label={t('name')} value={wanted} maxLength={128} required />
          </ActionForm>
        </Dialog>
      )}
    </div>
  );
}

type AddAgainProps = Pick<ActionsProps, 'device' | 'siteId' | 'onChanged'> & { isClaimed: boolean };

/** An orphaned device continues its history once its gateway is claimed again. */
function AddAgain({ device, siteId, onChanged, isClaimed }: AddAgainProps) {
  const { hardware_id, gateway_serial, type: device_type, ders, name } = device;
  const add = useAction(async () => {
    const parts = ders.map((der) => ({ name: der.name, type: der.type }));
    await provision({ hardware_id, device_type, ders: parts }, gateway_serial, siteId, '');
    onChanged();
  });
  if (!isClaimed) return <Link to={`/app/gateways/claim?site=${siteId}`}>{t('claim')}</Link>;
  const label = [t('again'), <span class="hidden">{t('againOf', { name })}</span>];
  return <ActionButton does={add} tone="plain" label={label} />;
}
