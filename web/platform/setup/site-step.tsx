import { signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { createSite } from '#contract/cloud/sites.ts';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { DecimalField, Field, Select } from '../../parts/field.tsx';
import { Card } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { fillCurrentPosition, LatitudeLongitude } from '../../parts/position.tsx';
import { texts } from '../../parts/text.ts';
import { areaChoices, findGridOperator, listAreas } from '../market/grid-operators.ts';
import { api } from '../session.ts';
import { zoneOfBrowser } from '../sites/zone-of-browser.ts';
import { useScan } from './use-scan.ts';

const t = texts({
  title: 'Your home',
  says: 'A name is enough. Everything else can be added later in the settings.',
  name: 'Name',
  where:
    'With your location, prices and time zone are set for you, and your home counts on the public map as part of an area of 36 km².',
  located: 'Location set: price area {area}, grid operator {operator}.',
  onlyLocated: 'Location set.',
  more: 'More details',
  areaSays: 'SE1 to SE4 in Sweden. Used to show electricity prices.',
  fuse: 'Main fuse in amperes (optional)',
  submit: 'Continue',
});

type StepProps = { orgId: string; serial: string; onMade(siteId: string): void };

/** Creates the site. Its gateway searches for devices meanwhile. */
export function SiteStep({ orgId, serial, onMade }: StepProps) {
  useScan(serial);
  const name = useSignal('');
  const fuse = useSignal('');
  const area = useSignal('');
  const [latitude, longitude] = useMemo(() => [signal(''), signal('')], []);
  const areas = useLoad(listAreas, []);
  const locate = useAction(async () => {
    await fillCurrentPosition({ latitude, longitude });
    const found = await operatorAt(latitude.value, longitude.value);
    if (found) area.value = found.area;
    return found ? t('located', { area: found.area, operator: found.name }) : t('onlyLocated');
  });
  const make = useAction(async () => {
    const isLocated = latitude.value !== '' && longitude.value !== '';
    const typed = area.value.trim().toUpperCase();
    const price_area = typed || (isLocated ? (await operatorAt(latitude.value, longitude.value))?.area : undefined);
    const body = {
      org_id: orgId,
      name: name.value.trim() || t('home'),
      ...(isLocated ? { latitude: Number(latitude.value), longitude: Number(longitude.value) } : zoneOfBrowser()),
      ...(price_area && { price_area }),
      ...(fuse.value && { fuse_a: Number(fuse.value) }),
    };
    onMade((await api().call(createSite, { body })).id);
  });
  return (
    <Card title={t('title')} says={t('says')} class="setup-card">
      <ActionForm does={make} submit={t('submit')}>
        <Field label={t('name')} value={name} placeholder={t('home')} maxLength={128} />
        <p class="says">{t('where')}</p>
        <div class="actions">
          <ActionButton does={locate} tone="plain" label={t('useLocation')} />
          {locate.result && <span class="says">{locate.result}</span>}
        </div>
        <details class="setup-more">
          <summary>{t('more')}</summary>
          <div class="setup-fields">
            <Select
              label={t('priceArea')}
              says={t('areaSays')}
              value={area}
              choices={[{ value: '', label: t('notSet') }, ...areaChoices(areas.value ?? [], area.value || undefined)]}
            />
            <DecimalField label={t('fuse')} value={fuse} min={1} max={10000} placeholder="20" />
            <LatitudeLongitude latitude={latitude} longitude={longitude} isOptional />
          </div>
        </details>
      </ActionForm>
    </Card>
  );
}

/** Finds the grid operator; a home does not have to wait for prices. */
const operatorAt = (latitude: string, longitude: string) =>
  findGridOperator({ lat: Number(latitude), lon: Number(longitude) }).catch(() => undefined);
