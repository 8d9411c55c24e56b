import { getRemoteManagement, type RemoteManagement, setRemoteManagement } from '#contract/gateway/system.ts';
import { ActionButton, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Card, Notice, Table } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { dateAndTime, texts } from '../../parts/text.ts';
import { gateway, toBrowserTime } from '../gateway-api.ts';

const t = texts({
  title: 'Remote management',
  says: 'Lets the people who manage this gateway on the platform search for devices, add them and choose what they send. Network, broker and power are out of reach.',
  isOff: 'Remote management is off. Devices are added on the gateway’s own pages only.',
  untrusted:
    'The platform has sent keys that this gateway does not know. If the platform replaced its keys, turn remote management off and on again.',
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  sure: 'Turn off remote management?',
  sureSays: 'Devices can then be added on the gateway’s own pages only. You can turn it on again here.',
  none: 'No requests yet.',
  requests: 'Last requests of the platform',
  request: 'Request',
  by: 'Requested by',
  result: 'Result',
  done: 'Done',
});

const operationWords = texts<'scan' | 'add_device' | 'change_device'>({
  scan: 'Search for devices',
  add_device: 'Add a device',
  change_device: 'Change what a device sends',
});

const words = (operation: string): string =>
  operation === 'scan' || operation === 'add_device' || operation === 'change_device'
    ? operationWords(operation)
    : operation;

/** Shows what the platform did at this gateway, and switches it off. */
export function ManagementCard() {
  const setting = useLoad((signal) => gateway.call(getRemoteManagement, { signal }), []);
  return (
    <Card title={t('title')} class="wide" says={t('says')}>
      <Loaded from={setting}>{(known) => <Management known={known} onChanged={setting.again} />}</Loaded>
    </Card>
  );
}

function Management({ known, onChanged }: { known: RemoteManagement; onChanged(): void }) {
  const { enabled, trusted, requests } = known;
  const set = async (wanted: boolean): Promise<void> => {
    await gateway.call(setRemoteManagement, { body: { enabled: wanted } });
    onChanged();
  };
  const turnOn = useAction(() => set(true));
  return (
    <>
      {!enabled && <Notice>{t('isOff')}</Notice>}
      {enabled && !trusted && <Notice tone="warning">{t('untrusted')}</Notice>}
      <div class="actions">
        {enabled ? (
          <ConfirmButton
            label={t('turnOff')}
            tone="plain"
            title={t('sure')}
            says={t('sureSays')}
            work={() => set(false)}
          />
        ) : (
          <ActionButton does={turnOn} label={t('turnOn')} />
        )}
      </div>
      {requests.length === 0 ? (
        <p class="says">{t('none')}</p>
      ) : (
        <Table
          caption={t('requests')}
          rows={requests}
          keyOf={({ at, operation }) => `${at} ${operation}`}
          columns={[
            { title: t('time'), show: ({ at }) => dateAndTime(toBrowserTime(at)) },
            { title: t('request'), show: ({ operation }) => words(operation) },
            { title: t('result'), show: ({ message }) => (message ? <span lang="en">{message}</span> : t('done')) },
            { title: t('by'), show: ({ by }) => <code>{by}</code> },
          ]}
        />
      )}
    </>
  );
}
