import type { SiteDetails } from '#contract/cloud/sites.ts';
import { type PlanProgress, planMessages } from '#contract/gateway-plan.ts';
import { KnownSentence } from '../../parts/known-sentence.tsx';
import { texts } from '../../parts/text.ts';
import { nameDevices } from './progress-names.ts';

const t = texts<PlanProgress['state']>({
  following: 'The gateway follows this plan.',
  waiting: 'The gateway has the plan and waits for its first step or for readings.',
  overridden:
    'A command by hand comes before the plan. After a release by hand, the plan leaves the device alone for an hour.',
  ended: 'The plan has ended, and the devices are in automatic mode.',
  refused: 'The gateway refused the plan.',
});

/** Says how the gateway gets on with the plan. */
export const Progress = ({ progress: { state, message }, site }: { progress: PlanProgress; site: SiteDetails }) => (
  <p class="says" role="status">
    {t(state)} {message && <KnownSentence text={nameDevices(message, site.devices)} among={planMessages} />}
  </p>
);
