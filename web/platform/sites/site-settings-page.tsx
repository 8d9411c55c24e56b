import { deleteSite, type SiteDetails } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { ConfirmButton } from '../../parts/dialog.tsx';
import { number } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { go, Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { rememberSite } from '../site.ts';
import { sitePage } from '../site-page.tsx';
import { SiteSettings } from './site-settings.tsx';
import './sites.css';

const t = texts({
  title: ['{name}: settings', '{name}: inställningar'],
  now: ['Go to live view', 'Gå till nuläget'],
  mayNot: [
    'Only admins and owners can change site settings.',
    'Bara administratörer och ägare kan ändra anläggningens inställningar.',
  ],
  id: ['Site ID', 'Anläggnings-ID'],
  people: ['Who has access', 'Vilka som har åtkomst'],
  end: ['Delete site', 'Radera anläggning'],
  endSays: [
    'The site is removed from all pages and from the public map.',
    'Anläggningen tas bort från alla sidor och från den öppna kartan.',
  ],
  endIt: ['Delete this site', 'Radera anläggningen'],
  titleDelete: ['Delete {name}?', 'Radera {name}?'],
  empty: ['The site has no devices.', 'Anläggningen har inga enheter.'],
  cascade: [
    'This also deletes its {count} devices. Their history is erased within 24 hours and cannot be restored. Export what you want to keep first:',
    'Även anläggningens {count} enheter raderas. Deras historik raderas inom 24 timmar och kan inte återställas. Exportera först det du vill behålla:',
  ],
  stays: [
    'The gateway remains yours and keeps reading its devices.',
    'Gatewayen är fortfarande din och fortsätter att läsa av sina enheter.',
  ],
  submit: ['Delete site', 'Radera anläggningen'],
  submitAll: ['Delete site and devices', 'Radera anläggningen och enheterna'],
});

export default sitePage(function SiteSettingsPage({ site, again }) {
  const mayManage = useMay(site.org_id, 'manage');
  return (
    <>
      <PageHead title={t('title', { name: site.name })} says={<Link to={`/app/sites/${site.id}`}>{t('now')}</Link>} />
      {mayManage ? <SiteSettings site={site} again={again} /> : <Notice>{t('mayNot')}</Notice>}
      <p class="says">
        {t('id')}: <code>{site.id}</code> <CopyButton text={site.id} />{' '}
        <Link to={`/app/organizations/${site.org_id}`}>{t('people')}</Link>
      </p>
      {mayManage && (
        <Card title={t('end')}>
          <p class="says">{t('endSays')}</p>
          <div class="actions">
            <DeleteSite site={site} />
          </div>
        </Card>
      )}
    </>
  );
});

/** A site with devices requires its name to be typed. */
function DeleteSite({ site: { id, name, devices } }: { site: SiteDetails }) {
  const hasDevices = devices.length > 0;
  const remove = async (): Promise<void> => {
    await api().call(deleteSite, { params: { site_id: id }, ...(hasDevices && { query: { cascade: true } }) });
    rememberSite(undefined);
    go('/app/sites');
  };
  return (
    <ConfirmButton
      label={t('endIt')}
      title={t('titleDelete', { name })}
      submit={t(hasDevices ? 'submitAll' : 'submit')}
      work={remove}
      {...(hasDevices && { typed: name })}
    >
      <p>{hasDevices ? t('cascade', { count: number(devices.length) }) : t('empty')}</p>
      {hasDevices && (
        <>
          <ul>
            {devices.map((device) => (
              <li key={device.id}>{device.name}</li>
            ))}
          </ul>
          <p>{t('stays')}</p>
        </>
      )}
    </ConfirmButton>
  );
}
