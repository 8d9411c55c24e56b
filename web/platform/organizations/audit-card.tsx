import { type AuditEntry, listAudit } from '#contract/cloud/organizations.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Loading } from '../../parts/loading.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { actionWords, detailWords } from './audit-words.ts';
import { useMore } from './use-more.ts';

const t = texts({
  en: { title: 'Who did what', you: 'You', operator: 'The operator of the platform', more: 'More' },
  sv: { title: 'Vem gjorde vad', you: 'Du', operator: 'Plattformens driftansvarige', more: 'Mer' },
});

const shownAtOnce = 20;

/** The audit of an organization, newest first. `turn` begins it anew. */
export function AuditCard({ orgId, turn }: { orgId: string; turn: unknown }) {
  const { items, isAll, fetchMore } = useMore(
    () => api().pages(listAudit, { params: { org_id: orgId }, query: { limit: shownAtOnce } }),
    shownAtOnce,
    [orgId, turn],
  );
  return (
    <Card title={t('title')}>
      {fetchMore.isBusy && items.length === 0 && <Loading />}
      <ol class="audit">
        {items.map((entry) => (
          <li key={entry.id}>
            <Entry {...entry} />
          </li>
        ))}
      </ol>
      {fetchMore.problem !== undefined && <Failed problem={fetchMore.problem} />}
      {!isAll && items.length > 0 && (
        <div class="actions">
          <ActionButton does={fetchMore} tone="plain">
            {t('more')}
          </ActionButton>
        </div>
      )}
    </Card>
  );
}

function Entry({ at, actor, action, object, details }: AuditEntry) {
  const isMe = actor === api().identityId;
  return (
    <>
      <span>
        {isMe || actor === 'operator' ? <b>{t(isMe ? 'you' : 'operator')}</b> : <code>{actor}</code>}{' '}
        {actionWords(action)}
      </span>
      <time class="says" dateTime={at}>
        {dateAndTime(Date.parse(at))}
      </time>
      <span class="says">
        <code>{object}</code> {detailWords(details)}
      </span>
    </>
  );
}
