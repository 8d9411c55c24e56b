import { getSitePlan, reportsOf } from '#contract/cloud/plans.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { minuteMs } from '#contract/time.ts';
import { Card } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Link } from '../../parts/router.tsx';
import { dateAndTime, money, texts } from '../../parts/text.ts';
import { hasKind } from '../bill/missing.tsx';
import { api } from '../session.ts';
import { ChangeList } from './change-list.tsx';
import { changesOf } from './changes.ts';
import { Progress } from './progress.tsx';

const t = texts({
  title: 'Next changes',
  plan: 'Plan',
  saves: 'Expected to save {amount} until {time}, compared with batteries that only cover the house.',
  off: 'Plans are off. A plan charges when electricity is cheap and keeps the peak of the month low.',
  see: 'See what a plan would save',
  shown: 'This plan is only shown, not carried out.',
  paused: 'Plans are paused, and devices are in automatic mode.',
});

const shown = 3;

/** Shows the next changes of the plan; nothing for a home that has nothing to plan. */
export const NextCard = ({ site }: { site: SiteDetails }) =>
  hasKind(site, 'battery') || hasKind(site, 'charger') ? <Next site={site} /> : null;

function Next({ site }: { site: SiteDetails }) {
  const { id, timezone } = site;
  const turn = Math.floor(now.value / minuteMs);
  const { value: found } = useLoad(
    (signal) => api().call(getSitePlan, { params: { site_id: id }, signal }),
    [id],
    turn,
  );
  if (!found || (found.status !== 'off' && !found.plan)) return null; // the plan page names the missing settings
  const to = `/app/sites/${id}/plan`;
  const { plan, mode } = found;
  const nowMs = turn * minuteMs;
  if (!plan || found.status === 'off') {
    return (
      <Card title={t('title')}>
        <p class="says">
          {t('off')} <Link to={to}>{t('see')}</Link>
        </p>
      </Card>
    );
  }
  const end = Date.parse(plan.steps.at(-1)?.end ?? plan.made_at);
  return (
    <Card title={t('title')} beside={<Link to={to}>{t('plan')}</Link>}>
      {found.status === 'paused' ? (
        <p class="says">{t('paused')}</p>
      ) : (
        <>
          {reportsOf(found).map(
            (report) =>
              report.progress &&
              report.progress.state !== 'following' && (
                <Progress key={report.gateway_serial} report={report} site={site} />
              ),
          )}
          <ChangeList
            changes={changesOf(plan, nowMs).slice(0, shown)}
            nowMs={nowMs}
            seen={{ currency: plan.currency, timeZone: timezone }}
          />
          <p class="says">
            {plan.saves !== null &&
              plan.saves > 0 &&
              t('saves', { amount: money(plan.saves, plan.currency), time: dateAndTime(end, timezone) })}{' '}
            {mode === 'show' && t('shown')}
          </p>
        </>
      )}
    </Card>
  );
}
