import { type SiteDetails, updateSite } from '#contract/cloud/sites.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { setQuery } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { LookedAt } from './looked-at.ts';

const t = texts({
  en: {
    looking: 'You are only looking: this is not the area and tariff of the site.',
    unset: 'The site has no price area yet. What you see can be kept for it, and other pages show its prices too.',
    keep: 'Keep for the site',
    back: 'Back to those of the site',
  },
  sv: {
    looking: 'Du bara tittar: det här är inte anläggningens elområde och tariff.',
    unset:
      'Anläggningen har inget elområde ännu. Det du ser kan behållas för den, så visar andra sidor också dess priser.',
    keep: 'Behåll för anläggningen',
    back: 'Tillbaka till anläggningens',
  },
});

const forget = (): void => setQuery({ area: undefined, tariff: undefined, provider: undefined });

type KeepBarProps = { site: SiteDetails; looked: LookedAt; mayKeep: boolean; onKept(): void };

/** Area and tariff that are looked at become those of the site when somebody says so. */
export function KeepBar({ site, looked: { area, tariffId }, mayKeep, onKept }: KeepBarProps) {
  const keep = useAction(async () => {
    const body = { price_area: area ?? null, tariff_id: tariffId ?? null };
    await api().call(updateSite, { params: { site_id: site.id }, body });
    onKept();
  });
  return (
    <Notice>
      <p>{t(site.price_area ? 'looking' : 'unset')}</p>
      {keep.problem !== undefined && <Failed problem={keep.problem} />}
      <div class="actions">
        {mayKeep && <ActionButton does={keep}>{t('keep')}</ActionButton>}
        {site.price_area && (
          <button type="button" onClick={forget}>
            {t('back')}
          </button>
        )}
      </div>
    </Notice>
  );
}
