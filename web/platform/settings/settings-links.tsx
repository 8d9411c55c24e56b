import { getSite } from '#contract/cloud/sites.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Card } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { isSimulated } from '../simulation.ts';
import { currentSiteId } from '../site.ts';
import './settings.css';

const t = texts({
  siteSettings: 'Site settings',
  siteSettingsSays: 'Name, main fuse, price area, grid tariff, location',
  alerts: 'Alerts',
  alertsSays: 'Which alerts you receive, and where',
  contract: 'Contract',
  contractSays: 'Fees and prices of your electricity supplier',
  people: 'People and equipment',
  organizations: 'People and organizations',
  organizationsSays: 'Members and their roles',
  gatewaysSays: 'The computers in your home that read the devices',
  sitesSays: 'All your sites, and new ones',
  integrations: 'Applications',
  integrationsSays: 'Programs that may act for you',
  advanced: 'Advanced',
  developerSays: 'API, tokens, examples and events',
  mapSays: 'Production and consumption of all public homes',
  streetSays: 'Weather, devices and faults of the demo home',
  audit: 'Activity log',
  auditSays: 'Every change, with its author and time',
});

type LinkTo = { to: string; icon: IconName; label: string; says: string };

/** Links to every page that is not in the main menu. */
export function SettingsLinks() {
  const siteId = currentSiteId();
  const site = useLoad(
    async (signal) => (siteId ? api().call(getSite, { params: { site_id: siteId }, signal }) : undefined),
    [siteId],
  ).value;
  const at = `/app/sites/${siteId}`;
  return (
    <>
      {siteId !== undefined && (
        <LinkCard
          title={site?.name ?? t('site')}
          links={[
            { to: `${at}/settings`, icon: 'house', label: t('siteSettings'), says: t('siteSettingsSays') },
            { to: `${at}/alerts`, icon: 'alerts', label: t('alerts'), says: t('alertsSays') },
            { to: `${at}/contract`, icon: 'prices', label: t('contract'), says: t('contractSays') },
          ]}
        />
      )}
      <LinkCard
        title={t('people')}
        links={[
          {
            to: '/app/organizations',
            icon: 'organizations',
            label: t('organizations'),
            says: t('organizationsSays'),
          },
          { to: '/app/sites', icon: 'sites', label: t('sites'), says: t('sitesSays') },
          { to: '/app/gateways', icon: 'gateways', label: t('gateways'), says: t('gatewaysSays') },
          { to: '/app/integrations', icon: 'integrations', label: t('integrations'), says: t('integrationsSays') },
        ]}
      />
      <LinkCard
        title={t('advanced')}
        links={[
          { to: '/app/developer', icon: 'developer', label: t('developer'), says: t('developerSays') },
          { to: '/app/map', icon: 'map', label: t('publicMap'), says: t('mapSays') },
          ...(isSimulated
            ? [{ to: '/app/street', icon: 'street', label: t('simulation'), says: t('streetSays') } as const]
            : []),
          {
            to: `/app/organizations${site ? `/${encodeURIComponent(site.org_id)}` : ''}`,
            icon: 'log',
            label: t('audit'),
            says: t('auditSays'),
          },
        ]}
      />
    </>
  );
}

const LinkCard = ({ title, links }: { title: string; links: readonly LinkTo[] }) => (
  <Card title={title}>
    <ul class="page-links">
      {links.map(({ to, icon, label, says }) => (
        <li key={label}>
          <Icon name={icon} />
          <span>
            <Link to={to}>{label}</Link>
            <span class="says">{says}</span>
          </span>
        </li>
      ))}
    </ul>
  </Card>
);
