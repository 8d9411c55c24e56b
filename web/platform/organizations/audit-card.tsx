import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type AuditEntry, listAudit } from '#contract/cloud/organizations.ts';
import { type Action, ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Loading } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { actionWords, detailWords } from './audit-words.ts';
import { nextPage } from './next-page.ts';

const t = texts({
  title: ['Activity log', 'Händelselogg'],
  you: ['You', 'Du'],
  operator: ['The platform operator', 'Plattformens driftansvariga'],
  more: ['Show more', 'Visa fler'],
});

const pageSize = 20;

/** Shows the activity log of an organization, newest first. `turn` reloads it. */
export function AuditCard({ orgId, turn }: { orgId: string; turn: unknown }) {
  const { items, isAll, fetchMore } = usePages(
    () => api().pages(listAudit, { params: { org_id: orgId }, query: { limit: pageSize } }),
    pageSize,
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

type PagedList<Item> = { items: readonly Item[]; isAll: boolean; fetchMore: Action };

/** Loads a list page by page; starts over when `inputs` change. */
function usePages<Item>(open: () => AsyncGenerator<Item>, size: number, inputs: readonly unknown[]): PagedList<Item> {
  const items = useSignal<readonly Item[]>([]);
  const isAll = useSignal(false);
  const list = useRef<AsyncGenerator<Item>>(undefined);

  const fetchMore = useAction(async () => {
    const piece = await nextPage(() => list.current, size);
    items.value = [...items.peek(), ...piece];
    isAll.value = piece.length < size;
  });

  useEffect(() => {
    list.current = open();
    items.value = [];
    isAll.value = false;
    void fetchMore.run();
  }, inputs);

  return { items: items.value, isAll: isAll.value, fetchMore };
}
