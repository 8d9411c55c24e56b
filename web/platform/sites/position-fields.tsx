import { ActionButton, useAction } from '../../parts/action.tsx';
import { Failed } from '../../parts/notice.tsx';
import { LatitudeLongitude, type TypedPosition, typeWhereIAm } from '../../parts/position.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    here: 'Use where I am',
    privacy:
      'Members of the organization see the position. The public map shows only the cell of about 36 square kilometres around it, never the place itself, with what the sites in it use and give now: alone in its cell, that is this site. Without a position the site is not on the map.',
  },
  sv: {
    here: 'Använd där jag är',
    privacy:
      'Organisationens medlemmar ser positionen. Den öppna kartan visar bara rutan på omkring 36 kvadratkilometer runt den, aldrig själva platsen, med vad anläggningarna i den använder och ger just nu: ensam i sin ruta är det den här anläggningen. Utan position finns anläggningen inte på kartan.',
  },
});

export function PositionFields(position: TypedPosition) {
  const locate = useAction(() => typeWhereIAm(position));
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
