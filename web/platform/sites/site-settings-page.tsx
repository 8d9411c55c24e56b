import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { deleteSite, type SiteDetails, updateSite } from '#contract/cloud/sites.ts';
import { ActionButton, ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import type { EditableValue } from '../../parts/bound-value.ts';
import { CopyableId } from '../../parts/copy.tsx';
import { choicesOf, DecimalField, Field, Select, withChosen } from '../../parts/field.tsx';
import { Card, Details, Notice, PageHead } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { fillCurrentPosition, LatitudeLongitude, type TypedPosition } from '../../parts/position.tsx';
import { go, Link } from '../../parts/router.tsx';
import { number, texts } from '../../parts/text.ts';
import { areaChoices, listAreas } from '../market/grid-operators.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { rememberSite } from '../site.ts';
import { sitePage } from '../site-page.tsx';
import { changesOf, fieldOf, formOf, type SiteForm } from './site-changes.ts';
import { TariffChoice } from './tariff-choice.tsx';
import './sites.css';

const t = texts({
  title: '{name}: settings',
  mayNot: 'Only admins and owners can change site settings.',
  id: 'Site ID',
  people: 'People with access',
  alerts: 'Alerts',
  end: 'Delete site',
  endSays: 'The site is removed from all pages and from the public map.',
  endIt: 'Delete this site',
  titleDelete: 'Delete {name}?',
  empty: 'The site has no devices.',
  cascade:
    'This also deletes its {count} devices. Their history is erased within 24 hours and cannot be restored. Export what you want to keep first:',
  stays: 'The gateway remains yours and keeps reading its devices.',
  submit: 'Delete site',
  submitAll: 'Delete site and devices',
  fuse: 'Main fuse (A)',
  fuseSays: 'Used to show the available capacity of each phase.',
  place: 'Location',
  timeZoneSays: 'Sets when each day starts and ends.',
  byPosition: 'From position',
  countrySays: 'Two-letter code, such as SE.',
  contract: 'Enter contract',
  contractSays: 'Your supplier’s markup and fees, and the payment for sold electricity, are in the contract.',
  save: 'Save settings',
  saved: 'Settings saved.',
  same: 'No changes to save.',
  priceAreaSays: 'SE1 to SE4 in Sweden.',
  privacy:
    'Only members of the organization can see the exact position. On the public map the site counts in a cell of about 36 km². Where the platform shows cells with a single site, such a cell shows the totals of that home. Without a position, the site is not on the map.',
});

export default sitePage(function SiteSettingsPage({ site, again }) {
  const mayManage = useMay(site.org_id, 'manage');
  return (
    <>
      <PageHead
        title={t('title', { name: site.name })}
        says={<Link to={`/app/sites/${site.id}`}>{t('goToLive')}</Link>}
      />
      {mayManage && <SiteSettings site={site} again={again} />}
      {mayManage === false && <Notice>{t('mayNot')}</Notice>}
      <p>
        <Link to={`/app/organizations/${site.org_id}`}>{t('people')}</Link> ·{' '}
        <Link to={`/app/sites/${site.id}/alerts`}>{t('alerts')}</Link>
      </p>
      {mayManage && (
        <Card title={t('end')} says={t('endSays')}>
          <DeleteSite site={site} />
        </Card>
      )}
      <Details>
        <p>
          {t('id')}: <CopyableId id={site.id} />
        </p>
      </Details>
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

/** Form of the site settings; sends only changed fields. */
function SiteSettings({ site, again }: { site: SiteDetails; again(): void }) {
  const form = useMemo(() => signal(formOf(site)), [site]);
  const field = (name: keyof SiteForm): EditableValue => fieldOf(form, name);
  const save = useAction(async () => {
    const body = changesOf(site, form.value);
    if (!body) return 'same';
    await api().call(updateSite, { params: { site_id: site.id }, body });
    again();
    return 'saved';
  });
  const zones = choicesOf(Intl.supportedValuesOf('timeZone'), (zone) => zone.replaceAll('_', ' '));
  return (
    <ActionForm does={save} submit={t('save')}>
      <div class="cards">
        <Card title={t('site')}>
          <Field label={t('siteName')} value={field('name')} maxLength={128} required />
          <DecimalField {...t.field('fuse')} value={field('fuse_a')} min={1} max={10000} placeholder="20" />
        </Card>
        <Card title={t('electricityPrice')}>
          <AreaChoice area={field('price_area')} />
          <TariffChoice tariffId={field('tariff_id')} position={form.value} form={form} />
          <p class="says">
            {t('contractSays')} <Link to={`/app/sites/${site.id}/contract`}>{t('contract')}</Link>
          </p>
        </Card>
        <Card title={t('place')} class="wide">
          <PositionFields latitude={field('latitude')} longitude={field('longitude')} />
          <div class="site-fields">
            <Select
              {...t.field('timeZone')}
              value={field('timezone')}
              choices={[{ value: '', label: t('byPosition') }, ...withChosen(zones, form.value.timezone)]}
            />
            <Field {...t.field('country')} value={field('country')} pattern="[A-Z]{2}" maxLength={2} placeholder="SE" />
          </div>
        </Card>
      </div>
      {save.result && <Notice tone={save.result === 'saved' ? 'good' : 'plain'}>{t(save.result)}</Notice>}
    </ActionForm>
  );
}

/** Lists the price areas, or offers a text field if the price service does not answer. */
function AreaChoice({ area }: { area: EditableValue }) {
  const areas = useLoad(listAreas, []);
  if (!areas.value) return <Field {...t.field('priceArea')} value={area} placeholder="SE3" maxLength={16} />;
  const choices = [{ value: '', label: t('notSet') }, ...areaChoices(areas.value, area.value)];
  return <Select label={t('priceArea')} value={area} choices={choices} />;
}

function PositionFields(position: TypedPosition) {
  const locate = useAction(() => fillCurrentPosition(position));
  return (
    <>
      <div class="site-fields">
        <LatitudeLongitude {...position} isOptional />
      </div>
      <ActionButton does={locate} tone="plain" label={t('useLocation')} />
      <p class="says">{t('privacy')}</p>
    </>
  );
}
