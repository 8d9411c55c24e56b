import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import './energy-tabs.css';

const t = texts({
  plan: 'Plan',
  byHand: 'By hand',
});

/** Links the pages about the control of a site. */
export const ControlTabs = ({ siteId }: { siteId: string }) => (
  <nav class="energy-tabs" aria-label={t('control')}>
    <Link to={`/app/sites/${siteId}/control`}>{t('byHand')}</Link>
    <Link to={`/app/sites/${siteId}/plan`}>{t('plan')}</Link>
  </nav>
);
