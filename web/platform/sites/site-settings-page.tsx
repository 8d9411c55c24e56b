import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { DangerButton } from '../../parts/danger-button.tsx';
import { Loaded } from '../../parts/load.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../own-role.ts';
import { useSite } from '../site.ts';
import { DeleteSite } from './delete-site.tsx';
import { SiteSettings } from './site-settings.tsx';
import './sites.css';

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
