import type { PlanReport } from '#contract/cloud/plans.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type PlanProgress, planMessages } from '#contract/gateway-plan.ts';
import { KnownSentence } from '../../parts/known-sentence.tsx';
import { Notice } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import { nameDevices } from './progress-names.ts';

const t = texts<PlanProgress['state'] | 'unconfirmed'>({
  following: 'The gateway follows this plan.',
  waiting: 'The gateway has the plan and waits for its first step or for readings.',
  overridden:
    'A command by hand comes before the plan. After a release by hand, the plan leaves the device alone for an hour.',
  ended: 'The plan has ended, and the devices are in automatic mode.',
  refused: 'The gateway refused the plan.',
  unconfirmed:
    'The gateway has not confirmed this plan. If that lasts for minutes, it is offline or has an older version than the platform.',
});

/** Says how a gateway gets on with the plan. */
export function Progress({ report: { gateway_serial, progress }, site }: { report: PlanReport; site: SiteDetails }) {
  const name = gateway_serial && `${gateway_serial}: `;
  if (!progress) {
    return (
      <Notice>
        {name}
        {t('unconfirmed')}
      </Notice>
    );
  }
  const { state, message } = progress;
  return (
    <p class="says" role="status">
      {name}
      {t(state)} {message && <KnownSentence text={nameDevices(message, site.devices)} among={planMessages} />}
    </p>
  );
}
