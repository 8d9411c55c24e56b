import { type Alert, getAlertRules, listAlerts } from '#contract/cloud/alerts.ts';
import { Card, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { LinkButton } from '../../parts/router.tsx';
import { dateAndTime, language, texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { sitePage } from '../site-page.tsx';
import { HooksCard } from './hooks-card.tsx';
import { ReceiversCard } from './receivers-card.tsx';
import { RulesCard } from './rules-card.tsx';
import '../sites/sites.css';
import './alerts.css';

const t = texts({
  title: 'Alerts',
  says: 'The platform tells you when something at {name} needs you.',
  siteSettings: 'Site settings',
  none: 'No alerts in the last 90 days.',
  lasts: 'still lasts',
  until: 'until {time}',
  sent: '{count} sent',
  waiting: '{count} waiting',
  failed: '{count} not delivered',
  noReceiver: 'no receiver',
});

const shown = 50;

export default sitePage(function AlertsPage({ site }) {
  const params = { site_id: site.id };
  const mayManage = useMay(site.org_id, 'manage');
  const rules = useLoad((signal) => api().call(getAlertRules, { params, signal }), [site.id]);
  const history = useLoad(
    (signal) => api().call(listAlerts, { params, query: { limit: shown, language: language.value }, signal }),
    [site.id, language.value],
  );
  return (
    <>
      <PageHead title={t('title')} says={t('says', { name: site.name })}>
        <LinkButton to={`/app/sites/${site.id}/settings`} label={t('siteSettings')} />
      </PageHead>
      <div class="cards">
        <ReceiversCard siteId={site.id} />
        <Card title={t('history')}>
          <Loaded from={history} empty={<p class="says">{t('none')}</p>}>
            {(alerts) => (
              <ul class="alert-history">
                {alerts.map((alert) => (
                  <Entry key={alert.id} alert={alert} timeZone={site.timezone} />
                ))}
              </ul>
            )}
          </Loaded>
        </Card>
        <Loaded from={rules} lines={12}>
          {(known) => <RulesCard rules={known} mayManage={mayManage} again={rules.again} />}
        </Loaded>
        {mayManage && <HooksCard siteId={site.id} />}
      </div>
    </>
  );
});

function Entry({ alert, timeZone }: { alert: Alert; timeZone: string | undefined }) {
  const { title, body, at, ended_at, deliveries } = alert;
  const { sent, waiting, failed } = deliveries;
  const hasEnd = ended_at !== null && ended_at !== at;
  const time = (text: string): string => dateAndTime(Date.parse(text), timeZone);
  const outcome = [
    sent > 0 && t('sent', { count: sent }),
    waiting > 0 && t('waiting', { count: waiting }),
    failed > 0 && t('failed', { count: failed }),
  ].filter(Boolean);
  return (
    <li>
      <p>
        <strong>{title}</strong> {ended_at === null && <span class="tag">{t('lasts')}</span>}
      </p>
      <p>{body}</p>
      <p class="says">
        {time(at)}
        {hasEnd && `, ${t('until', { time: time(ended_at) })}`} ·{' '}
        {outcome.length > 0 ? outcome.join(', ') : t('noReceiver')}
      </p>
    </li>
  );
}
