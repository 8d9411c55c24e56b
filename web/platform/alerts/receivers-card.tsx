import { type Signal, useSignal } from '@preact/signals';
import {
  type AlertChannel,
  createAlertChannel,
  deleteAlertChannel,
  getAlertFollowing,
  getAlertOptions,
  listAlertChannels,
  testAlertChannel,
  updateAlertFollowing,
  verifyAlertChannel,
} from '#contract/cloud/alerts.ts';
import { ActionButton, ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Field, Switch } from '../../parts/field.tsx';
import { Card, Notice } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { language, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { ThisBrowser } from './notify.tsx';
import { notificationWorker, ownEndpointHash } from './this-browser.ts';

const t = texts({
  receivers: 'Where you receive them',
  receiversSays: 'Your browsers and addresses receive the alerts of the sites that you follow.',
  follow: 'Send me the alerts of this site',
  quiet: 'Quiet hours',
  quietSays: 'Alerts wait until they end. Those that are over by then are not sent.',
  from: 'From',
  to: 'To',
  urgent: 'Urgent ones all the same: silent gateway, main fuse, new peak',
  save: 'Save',
  saved: 'Saved.',
  noReceiver: 'You have no browser or address yet that receives them.',
  isThis: 'this browser',
  email: 'E-mail address',
  addEmail: 'Add address',
  noEmail: 'This platform cannot send e-mail: its operator has not set up a mail server.',
  code: 'Code in the message',
  confirm: 'Confirm',
  sendCode: 'Send the code',
  codeSent: 'The code was sent.',
  test: 'Send a test',
  tested: 'The test was sent.',
  unconfirmed: 'not confirmed yet',
  removeThis: 'Remove {name}',
  removeSays: 'It receives no more alerts.',
});

/** Whether a person follows a site, and where they receive its alerts. */
export function ReceiversCard({ siteId }: { siteId: string }) {
  const isSaved = useSignal(false);
  const loaded = useLoad(
    async (signal) => {
      const params = { site_id: siteId };
      const worker = await notificationWorker();
      const [following, options, channels, ownHash] = await Promise.all([
        api().call(getAlertFollowing, { params, signal }),
        api().call(getAlertOptions, { signal }),
        api().call(listAlertChannels, { signal }),
        ownEndpointHash(worker),
      ]);
      return { following, options, channels, worker, ownHash };
    },
    [siteId],
  );
  const follow = async (): Promise<void> => {
    if (loaded.value && !loaded.value.following.follows)
      await api().call(updateAlertFollowing, { params: { site_id: siteId }, body: { follows: true } });
    loaded.again();
  };
  return (
    <Card title={t('receivers')} says={t('receiversSays')}>
      <Loaded from={loaded} lines={8}>
        {({ following, options, channels, worker, ownHash }) => (
          <>
            <Following key={JSON.stringify(following)} {...{ siteId, following, isSaved }} again={loaded.again} />
            {following.follows && channels.length === 0 && <Notice tone="warning">{t('noReceiver')}</Notice>}
            {channels.length > 0 && (
              <ul class="alert-channels">
                {channels.map((channel) => (
                  <Channel
                    key={channel.id}
                    channel={channel}
                    isThis={ownHash !== undefined && channel.endpoint_hash === ownHash}
                    again={loaded.again}
                  />
                ))}
              </ul>
            )}
            {!channels.some(({ endpoint_hash }) => ownHash !== undefined && endpoint_hash === ownHash) && (
              <ThisBrowser worker={worker} publicKey={options.push_public_key} onAdded={follow} />
            )}
            {options.email ? <AddEmail onAdded={follow} /> : <p class="says">{t('noEmail')}</p>}
          </>
        )}
      </Loaded>
    </Card>
  );
}

type FollowingProps = {
  siteId: string;
  following: { follows: boolean; quiet_hours?: { from: string; to: string; except_urgent: boolean } };
  /** kept outside, because the form begins again when what it shows has changed */
  isSaved: Signal<boolean>;
  again(): void;
};

function Following({ siteId, following: { follows, quiet_hours }, isSaved, again }: FollowingProps) {
  const isOn = useSignal(follows);
  const isQuiet = useSignal(quiet_hours !== undefined);
  const from = useSignal(quiet_hours?.from ?? '22:00');
  const to = useSignal(quiet_hours?.to ?? '07:00');
  const isUrgent = useSignal(quiet_hours?.except_urgent ?? true);
  const save = useAction(async () => {
    const hours = { from: from.value, to: to.value, except_urgent: isUrgent.value };
    const body = { follows: isOn.value, ...(isOn.value && isQuiet.value && { quiet_hours: hours }) };
    await api().call(updateAlertFollowing, { params: { site_id: siteId }, body });
    isSaved.value = true;
    again();
  });
  return (
    <ActionForm does={save} submit={t('save')}>
      <Switch label={t('follow')} value={isOn} />
      {isOn.value && <Switch label={t('quiet')} value={isQuiet} />}
      {isOn.value && isQuiet.value && (
        <>
          <p class="says">{t('quietSays')}</p>
          <div class="site-fields">
            <Field label={t('from')} type="time" value={from} required />
            <Field label={t('to')} type="time" value={to} required />
          </div>
          <Switch label={t('urgent')} value={isUrgent} />
        </>
      )}
      {isSaved.value && !save.isBusy && save.problem === undefined && <Notice tone="good">{t('saved')}</Notice>}
    </ActionForm>
  );
}

function AddEmail({ onAdded }: { onAdded(): Promise<void> }) {
  const email = useSignal('');
  const add = useAction(async () => {
    const body = { email: email.value.trim(), language: language.value };
    const { id, verified } = await api().call(createAlertChannel, { body });
    if (!verified) await deliver(id);
    email.value = '';
    await onAdded();
  });
  return (
    <ActionForm does={add} submit={t('addEmail')} tone="plain">
      <Field label={t('email')} value={email} type="text" pattern="[^@\s]+@[^@\s]+" maxLength={254} required />
    </ActionForm>
  );
}

/** Sends a test, or a code; throws with the reason if it was not delivered. */
async function deliver(channel_id: string): Promise<true> {
  const { delivered, reason } = await api().call(testAlertChannel, { params: { channel_id } });
  if (!delivered) throw new Error(reason);
  return true;
}

function Channel({ channel, isThis, again }: { channel: AlertChannel; isThis: boolean; again(): void }) {
  const { id, name, verified } = channel;
  const code = useSignal('');
  const test = useAction(() => deliver(id));
  const confirm = useAction(async () => {
    await api().call(verifyAlertChannel, { params: { channel_id: id }, body: { code: code.value.trim() } });
    again();
  });
  const remove = async (): Promise<void> => {
    await api().call(deleteAlertChannel, { params: { channel_id: id } });
    again();
  };
  return (
    <li>
      <div class="alert-channel">
        <span>
          {name} {isThis && <span class="tag good">{t('isThis')}</span>}
          {!verified && <span class="tag">{t('unconfirmed')}</span>}
        </span>
        <div class="actions">
          <ActionButton does={test} tone="plain" label={t(verified ? 'test' : 'sendCode')} />
          <ConfirmButton
            label={t('remove')}
            ariaLabel={t('removeThis', { name })}
            title={t('removeThis', { name })}
            says={t('removeSays')}
            tone="quiet"
            work={remove}
          />
        </div>
      </div>
      {test.result && <Notice tone="good">{t(verified ? 'tested' : 'codeSent')}</Notice>}
      {!verified && (
        <ActionForm does={confirm} submit={t('confirm')}>
          <Field label={t('code')} value={code} pattern="\s*\d{6}\s*" maxLength={16} required />
        </ActionForm>
      )}
    </li>
  );
}
