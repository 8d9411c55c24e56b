import { listSignatures } from '#contract/gateway/identity.ts';
import { Card } from '../../parts/card.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Loaded } from '../../parts/load.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';

const t = texts({
  title: ['Signature log', 'Signaturlogg'],
  none: ['No signatures yet.', 'Inga signaturer ännu.'],
  says: [
    'If you do not recognise an entry, someone else has had access to your network.',
    'Om du inte känner igen en rad har någon annan haft tillgång till ditt nätverk.',
  ],
  when: ['Time', 'Tid'],
  from: ['Requested from', 'Begärd från'],
  message: ['Message', 'Meddelande'],
});

const everyMs = 5000;

export function SignaturesCard() {
  const signatures = usePoll((signal) => gateway.call(listSignatures, { signal }), [], everyMs);
  return (
    <Card title={t('title')} class="wide">
      <Loaded from={signatures}>
        {({ signatures: rows }) =>
          rows.length === 0 ? (
            <p class="says">{t('none')}</p>
          ) : (
            <>
              <p class="says">{t('says')}</p>
              <Table
                caption={t('title')}
                rows={rows}
                keyOf={({ message }) => message}
                columns={[
                  { title: t('when'), show: ({ at }) => dateAndTime(at) },
                  { title: t('from'), show: ({ from }) => from },
                  { title: t('message'), show: ({ message }) => <code class="signed-text">{message}</code> },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
