import { useSignal } from '@preact/signals';
import { joinWifi } from '#contract/gateway/network.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  en: {
    title: 'Join a Wi-Fi network',
    ssid: 'Name of the network',
    psk: 'Password',
    pskSays: 'Empty for an open network.',
    join: 'Join',
    says: 'The gateway may get another address in it, and this page may not find it there.',
    joining: 'Joining. It takes up to half a minute.',
  },
  sv: {
    title: 'Anslut till ett wifi-nätverk',
    ssid: 'Nätverkets namn',
    psk: 'Lösenord',
    pskSays: 'Tomt för ett öppet nätverk.',
    join: 'Anslut',
    says: 'Gatewayen kan få en annan adress där, och den här sidan kanske inte hittar den.',
    joining: 'Ansluter. Det tar upp till en halv minut.',
  },
});

/** Without a name it is a hidden network, whose name is asked for. */
export function JoinDialog({ ssid, onClose }: { ssid: string; onClose(): void }) {
  const name = useSignal(ssid);
  const psk = useSignal('');
  const join = useAction(async () => {
    await gateway.call(joinWifi, { body: { ssid: name.value, psk: psk.value } });
    onClose();
  });
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <ActionForm does={join} submit={t('join')}>
        <Field label={t('ssid')} required maxLength={32} value={name} />
        <Field label={t('psk')} says={t('pskSays')} type="password" maxLength={64} value={psk} />
        <p class="says">{t('says')}</p>
        {join.isBusy && <Notice>{t('joining')}</Notice>}
      </ActionForm>
    </Dialog>
  );
}
