import { deleteSite, type SiteDetails } from '#contract/cloud/sites.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { number } from '../../parts/format.ts';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { rememberSite } from '../site.ts';

const t = texts({
  en: {
    title: 'Delete {name}',
    empty: 'It holds no device.',
    cascade:
      'Its {count} devices are deleted with it. Their history is erased within 24 hours and cannot be restored. Export what you want to keep first:',
    stays: 'The gateway stays yours, and goes on reading its devices.',
    submit: 'Delete the site',
    submitAll: 'Delete the site and its devices',
  },
  sv: {
    title: 'Radera {name}',
    empty: 'Den har ingen enhet.',
    cascade:
      'Dess {count} enheter raderas med den. Deras historik raderas inom 24 timmar och går inte att återställa. Exportera först det du vill behålla:',
    stays: 'Gatewayen förblir din och fortsätter att läsa sina enheter.',
    submit: 'Radera anläggningen',
    submitAll: 'Radera anläggningen och dess enheter',
  },
});

/** Asks, with what goes along; a site with devices goes only when its name is typed. */
export function DeleteSite({ site, onClose }: { site: SiteDetails; onClose(): void }) {
  const { id, name, devices } = site;
  const hasDevices = devices.length > 0;
  const remove = async (): Promise<void> => {
    await api().call(deleteSite, { params: { site_id: id }, ...(hasDevices && { query: { cascade: true } }) });
    rememberSite(undefined);
    go('/app/sites');
  };
  return (
    <Confirm
      title={t('title', { name })}
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
