import { useSignal } from '@preact/signals';
import {
  type AlertHook,
  createAlertHook,
  deleteAlertHook,
  hookKinds,
  listAlertHooks,
  testAlertHook,
} from '#contract/cloud/alerts.ts';
import { ActionButton, ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { choicesOf, Field, Segments } from '../../parts/field.tsx';
import { Card, Notice } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { language, texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  hooks: 'Webhooks and ntfy',
  hooksSays: 'They belong to the site and receive all its alerts. Only admins and owners see them.',
  kind: 'Kind',
  webhook: 'A program (webhook)',
  ntfy: 'An ntfy topic',
  addressSays: 'The address of a program that receives signed JSON, or of an ntfy topic.',
  token: 'Access token, if the topic needs one',
  addHook: 'Add',
  secret: 'Secret, shown only now. The program checks the signature with it:',
  test: 'Send a test',
  tested: 'The test was sent.',
  removeThis: 'Remove {name}',
  removeSays: 'It receives no more alerts.',
});

/** The webhooks and topics of a site. */
export function HooksCard({ siteId }: { siteId: string }) {
  const params = { site_id: siteId };
  const hooks = useLoad((signal) => api().call(listAlertHooks, { params, signal }), [siteId]);
  const kind = useSignal<(typeof hookKinds)[number]>('webhook');
  const url = useSignal('');
  const token = useSignal('');
  const add = useAction(async () => {
    const access = kind.value === 'ntfy' && token.value.trim() ? { access_token: token.value.trim() } : {};
    const body = { kind: kind.value, url: url.value.trim(), language: language.value, ...access };
    const { secret } = await api().call(createAlertHook, { params, body });
    url.value = '';
    token.value = '';
    hooks.again();
    return secret;
  });
  return (
    <Card title={t('hooks')} says={t('hooksSays')}>
      <Loaded from={hooks}>
        {(list) => (
          <ul class="alert-channels">
            {list.map((hook) => (
              <Hook key={hook.id} {...{ siteId, hook }} again={hooks.again} />
            ))}
          </ul>
        )}
      </Loaded>
      <ActionForm does={add} submit={t('addHook')} tone="plain">
        <Segments label={t('kind')} value={kind} choices={choicesOf(hookKinds, t)} />
        <Field {...t.field('address')} value={url} maxLength={1024} required />
        {kind.value === 'ntfy' && <Field label={t('token')} value={token} type="password" maxLength={256} />}
      </ActionForm>
      {add.result && (
        <Notice tone="good">
          {t('secret')} <code class="alert-secret">{add.result}</code>
        </Notice>
      )}
    </Card>
  );
}

function Hook({ siteId, hook: { id, name, kind }, again }: { siteId: string; hook: AlertHook; again(): void }) {
  const params = { site_id: siteId, hook_id: id };
  const test = useAction(async () => {
    const { delivered, reason } = await api().call(testAlertHook, { params });
    if (!delivered) throw new Error(reason);
    return true;
  });
  const remove = async (): Promise<void> => {
    await api().call(deleteAlertHook, { params });
    again();
  };
  return (
    <li>
      <div class="alert-channel">
        <span>
          {name} <span class="tag">{t(kind)}</span>
        </span>
        <div class="actions">
          <ActionButton does={test} tone="plain" label={t('test')} />
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
      {test.result && <Notice tone="good">{t('tested')}</Notice>}
    </li>
  );
}
