import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { DangerButton } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { SiteSettings } from './site-settings.tsx';
import './sites.css';
import { deleteSite, type SiteDetails } from '#contract/cloud/sites.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { number } from '../../parts/format.ts';
import { go, Link, type Params } from '../../parts/router.tsx';
import { api } from '../session.ts';
import { rememberSite, useSite } from '../site.ts';

const t = texts({
  en: {
    title: 'Settings of {name}',
    now: 'To what flows now',
    mayNot: 'Only administrators and owners of the organization change the settings of its sites.',
    id: 'Id of the site',
    people: 'Who may see it',
    end: 'Delete the site',
    endSays: 'It leaves all pages and the public map.',
    endIt: 'Delete this site',
    titleDelete: 'Delete {name}',
    empty: 'It holds no device.',
    cascade:
      'Its {count} devices are deleted with it. Their history is erased within 24 hours and cannot be restored. Export what you want to keep first:',
    stays: 'The gateway stays yours, and goes on reading its devices.',
    submit: 'Delete the site',
    submitAll: 'Delete the site and its devices',
  },
  sv: {
    title: 'Inställningar för {name}',
    now: 'Till det som flödar nu',
    mayNot: 'Bara organisationens administratörer och ägare ändrar anläggningarnas inställningar.',
    id: 'Anläggningens id',
    people: 'Vem som får se den',
    end: 'Radera anläggningen',
    endSays: 'Den försvinner från alla sidor och från den öppna kartan.',
    endIt: 'Radera anläggningen',
    titleDelete: 'Radera {name}',
    empty: 'Den har ingen enhet.',
    cascade:
      'Dess {count} enheter raderas med den. Deras historik raderas inom 24 timmar och går inte att återställa. Exportera först det du vill behålla:',
    stays: 'Gatewayen förblir din och fortsätter att läsa sina enheter.',
    submit: 'Radera anläggningen',
    submitAll: 'Radera anläggningen och dess enheter',
  },
});

export default function SiteSettingsPage({ params }: { params: Params }) {
  const site = useSite(params.site!);
  return <Loaded from={site}>{(value) => <Settings key={value.id} site={value} again={site.again} />}</Loaded>;
}

function Settings({ site, again }: { site: SiteDetails; again(): void }) {
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
            <DangerButton label={t('endIt')}>{(close) => <DeleteSite site={site} onClose={close} />}</DangerButton>
          </div>
        </Card>
      )}
    </>
  );
}

/** Asks, with what goes along; a site with devices goes only when its name is typed. */
function DeleteSite({ site, onClose }: { site: SiteDetails; onClose(): void }) {
  const { id, name, devices } = site;
  const hasDevices = devices.length > 0;
  const remove = async (): Promise<void> => {
    await api().call(deleteSite, { params: { site_id: id }, ...(hasDevices && { query: { cascade: true } }) });
    rememberSite(undefined);
    go('/app/sites');
  };
  return (
    <Confirm
      title={t('titleDelete', { name })}
      submit={t(hasDevices ? 'submitAll' : 'submit')}
      work={remove}
      onClose={onClose}
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
    </Confirm>
  );
}
