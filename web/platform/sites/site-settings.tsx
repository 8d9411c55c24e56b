import { type Signal, signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type SiteDetails, updateSite } from '#contract/cloud/sites.ts';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { DecimalField, Field, Select } from '../../parts/field.tsx';
import { useLoad } from '../../parts/load.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { fillCurrentPosition, LatitudeLongitude, type TypedPosition } from '../../parts/position.tsx';
import { texts } from '../../parts/text.ts';
import { areaChoices, listAreas } from '../market/grid-operators.ts';
import { api } from '../session.ts';
import { changesOf, formOf, type SiteForm } from './site-changes.ts';
import { TariffChoice } from './tariff-choice.tsx';

const t = texts({
  en: {
    house: 'The house',
    name: 'Name of the place',
    fuse: 'Main fuse, ampere',
    fuseSays: 'With it the pages show how much room is left on each phase.',
    place: 'Where it is',
    zone: 'Time zone',
    zoneSays: 'Days begin and end by it.',
    byPosition: 'As the position says',
    country: 'Country',
    countrySays: 'Two letters, as in SE.',
    price: 'What electricity costs',
    save: 'Save the settings',
    saved: 'Saved.',
    same: 'Nothing was changed.',
    area: 'Price area',
    none: 'Not set',
    says: 'SE1 to SE4 in Sweden.',
    here: 'Use where I am',
    privacy:
      'Members of the organization see the position. The public map shows only the cell of about 36 square kilometres around it, never the place itself, with what the sites in it use and give now: alone in its cell, that is this site. Without a position the site is not on the map.',
  },
  sv: {
    house: 'Huset',
    name: 'Platsens namn',
    fuse: 'Huvudsäkring, ampere',
    fuseSays: 'Med den visar sidorna hur mycket utrymme som är kvar på varje fas.',
    place: 'Var det är',
    zone: 'Tidszon',
    zoneSays: 'Dygnen börjar och slutar efter den.',
    byPosition: 'Som positionen säger',
    country: 'Land',
    countrySays: 'Två bokstäver, som SE.',
    price: 'Vad elen kostar',
    save: 'Spara inställningarna',
    saved: 'Sparat.',
    same: 'Inget har ändrats.',
    area: 'Elområde',
    none: 'Inte valt',
    says: 'SE1 till SE4 i Sverige.',
    here: 'Använd där jag är',
    privacy:
      'Organisationens medlemmar ser positionen. Den öppna kartan visar bara rutan på omkring 36 kvadratkilometer runt den, aldrig själva platsen, med vad anläggningarna i den använder och ger just nu: ensam i sin ruta är det den här anläggningen. Utan position finns anläggningen inte på kartan.',
  },
});

export type SiteFields = Record<keyof SiteForm, Signal<string>>;

/** The form of a site's settings; only what was changed is sent. */
export function SiteSettings({ site, again }: { site: SiteDetails; again(): void }) {
  const fields = useMemo(() => signalsOf(formOf(site)), [site]);
  const said = useSignal<'saved' | 'same' | undefined>(undefined);
  const save = useAction(async () => {
    said.value = undefined;
    const body = changesOf(site, textsOf(fields));
    if (body) {
      await api().call(updateSite, { params: { site_id: site.id }, body });
      again();
    }
    said.value = body ? 'saved' : 'same';
  });
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
  return (
    <ActionForm does={save} submit={t('save')}>
      <div class="cards">
        <Card title={t('house')}>
          <Field label={t('name')} value={fields.name} maxLength={128} required />
          <DecimalField
            label={t('fuse')}
            says={t('fuseSays')}
            value={fields.fuse_a}
            min={1}
            max={10000}
            placeholder="20"
          />
        </Card>
        <Card title={t('price')}>
          <AreaChoice area={fields.price_area} />
          <TariffChoice tariffId={fields.tariff_id} latitude={fields.latitude} longitude={fields.longitude} />
        </Card>
        <Card title={t('place')} class="wide">
          <PositionFields latitude={fields.latitude} longitude={fields.longitude} />
          <div class="site-fields">
            <Select
              label={t('zone')}
              says={t('zoneSays')}
              value={fields.timezone}
              choices={[{ value: '', label: t('byPosition') }, ...withOwn(zones, fields.timezone.value)]}
            />
            <Field
              label={t('country')}
              says={t('countrySays')}
              value={fields.country}
              pattern="[A-Z]{2}"
              maxLength={2}
              placeholder="SE"
            />
          </div>
        </Card>
      </div>
      {said.value && <Notice tone={said.value === 'saved' ? 'good' : 'plain'}>{t(said.value)}</Notice>}
    </ActionForm>
  );
}

const withOwn = (zones: { value: string; label: string }[], own: string) =>
  own === '' || zones.some(({ value }) => value === own) ? zones : [{ value: own, label: own }, ...zones];

const signalsOf = (form: SiteForm): SiteFields =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, signal(value)])) as SiteFields;

const textsOf = (fields: SiteFields): SiteForm =>
  Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])) as SiteForm;

/** The areas that the price service knows; a field for any where it does not answer. */
function AreaChoice({ area }: { area: Signal<string> }) {
  const areas = useLoad(listAreas, []);
  if (!areas.value) return <Field label={t('area')} says={t('says')} value={area} placeholder="SE3" maxLength={16} />;
  const choices = [{ value: '', label: t('none') }, ...areaChoices(areas.value, area.value)];
  return <Select label={t('area')} value={area} choices={choices} />;
}

function PositionFields(position: TypedPosition) {
  const locate = useAction(() => fillCurrentPosition(position));
  return (
    <>
      <div class="site-fields">
        <LatitudeLongitude {...position} isOptional />
      </div>
      {locate.problem !== undefined && <Failed problem={locate.problem} />}
      <div class="actions">
        <ActionButton does={locate} tone="plain">
          {t('here')}
        </ActionButton>
      </div>
      <p class="says">{t('privacy')}</p>
    </>
  );
}
