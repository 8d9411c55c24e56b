import type { Signal } from '@preact/signals';
import { DecimalField } from './decimal-field.tsx';
import { PageProblem } from './problem-words.ts';
import { texts } from './text.ts';

const t = texts({
  en: {
    latitude: 'Latitude, degrees north',
    longitude: 'Longitude, degrees east',
    cannot: 'This browser does not tell where it is. Type the position instead; a map on the internet shows it.',
    refused: 'The browser was not allowed to tell where it is. Allow it for this page, or type the position.',
    unknown: 'The device could not find out where it is. Try again outdoors or by a window, or type the position.',
  },
  sv: {
    latitude: 'Latitud, grader nord',
    longitude: 'Longitud, grader öst',
    cannot: 'Webbläsaren berättar inte var den är. Skriv positionen i stället; en karta på nätet visar den.',
    refused: 'Webbläsaren fick inte berätta var den är. Tillåt det för sidan, eller skriv positionen.',
    unknown:
      'Enheten kunde inte ta reda på var den är. Försök igen utomhus eller vid ett fönster, eller skriv positionen.',
  },
});

/** As it stands in the two fields. */
export type TypedPosition = { latitude: Signal<string>; longitude: Signal<string> };

type Props = TypedPosition & { isOptional?: boolean };

/** One of them is not enough: with it the other is required. */
export function LatitudeLongitude({ latitude, longitude, isOptional = false }: Props) {
  return (
    <>
      <DecimalField
        label={t('latitude')}
        value={latitude}
        min={-90}
        max={90}
        placeholder="59.33"
        required={!isOptional || longitude.value !== ''}
      />
      <DecimalField
        label={t('longitude')}
        value={longitude}
        min={-180}
        max={180}
        placeholder="18.07"
        required={!isOptional || latitude.value !== ''}
      />
    </>
  );
}

const digits = 5; // about a metre
const waitMs = 20_000;

/** Fills the fields. Called only when somebody wants it: nothing else on these pages looks where anybody is. */
export async function typeWhereIAm({ latitude, longitude }: TypedPosition): Promise<void> {
  const here = await whereIAm();
  latitude.value = String(Number(here.latitude.toFixed(digits)));
  longitude.value = String(Number(here.longitude.toFixed(digits)));
}

const whereIAm = (): Promise<GeolocationCoordinates> =>
  new Promise((resolve, reject) => {
    const refuse = (words: 'cannot' | 'refused' | 'unknown'): void => reject(new PageProblem('unavailable', t(words)));
    if (!navigator.geolocation) return refuse('cannot'); // pages of plain http addresses have none
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(coords),
      ({ code, PERMISSION_DENIED }) => refuse(code === PERMISSION_DENIED ? 'refused' : 'unknown'),
      { timeout: waitMs },
    );
  });
