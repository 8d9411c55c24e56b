import type { Signal } from '@preact/signals';
import { Problem } from '#contract/problem.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    latitude: 'Latitude, degrees north',
    longitude: 'Longitude, degrees east',
    here: 'Use where I am',
    privacy:
      'Members of the organization see the position. The public map shows only the cell of about 36 square kilometres around it, never the place itself. Without a position the site is not on the map.',
    cannot: 'This browser does not tell where it is. Type the position instead; a map on the internet shows it.',
    refused: 'The browser was not allowed to tell where it is. Allow it for this page, or type the position.',
    unknown: 'The device could not find out where it is. Try again outdoors or by a window, or type the position.',
  },
  sv: {
    latitude: 'Latitud, grader nord',
    longitude: 'Longitud, grader öst',
    here: 'Använd där jag är',
    privacy:
      'Organisationens medlemmar ser positionen. Den öppna kartan visar bara rutan på omkring 36 kvadratkilometer runt den, aldrig själva platsen. Utan position finns anläggningen inte på kartan.',
    cannot: 'Webbläsaren berättar inte var den är. Skriv positionen i stället; en karta på nätet visar den.',
    refused: 'Webbläsaren fick inte berätta var den är. Tillåt det för sidan, eller skriv positionen.',
    unknown:
      'Enheten kunde inte ta reda på var den är. Försök igen utomhus eller vid ett fönster, eller skriv positionen.',
  },
});

const digits = 5; // about a metre
const waitMs = 20_000;

/** Asked only when somebody wants it: nothing else on these pages looks where anybody is. */
const whereIAm = (): Promise<GeolocationCoordinates> =>
  new Promise((resolve, reject) => {
    const refuse = (words: 'cannot' | 'refused' | 'unknown'): void => reject(new Problem('unavailable', t(words)));
    if (!navigator.geolocation) return refuse('cannot'); // pages of plain http addresses have none
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(coords),
      ({ code, PERMISSION_DENIED }) => refuse(code === PERMISSION_DENIED ? 'refused' : 'unknown'),
      { timeout: waitMs },
    );
  });

export function PositionFields({ latitude, longitude }: { latitude: Signal<string>; longitude: Signal<string> }) {
  const locate = useAction(async () => {
    const here = await whereIAm();
    latitude.value = String(Number(here.latitude.toFixed(digits)));
    longitude.value = String(Number(here.longitude.toFixed(digits)));
  });
  return (
    <>
      <div class="site-fields">
        <Field
          label={t('latitude')}
          value={latitude}
          type="number"
          min={-90}
          max={90}
          step="any"
          placeholder="59.33"
          required={longitude.value !== ''}
        />
        <Field
          label={t('longitude')}
          value={longitude}
          type="number"
          min={-180}
          max={180}
          step="any"
          placeholder="18.07"
          required={latitude.value !== ''}
        />
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
