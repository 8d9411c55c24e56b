import type { EditableValue } from './bound-value.ts';
import { DecimalField } from './field.tsx';
import { PageProblem } from './problem-words.ts';
import { texts } from './text.ts';

const t = texts({
  latitude: 'Latitude (°N)',
  longitude: 'Longitude (°E)',
  cannot: 'This browser cannot determine its location. Enter the coordinates instead; any online map shows them.',
  refused: 'Location access is blocked. Allow it for this page, or enter the coordinates.',
  unknown: 'Your location could not be determined. Try again outdoors or by a window, or enter the coordinates.',
});

export type TypedPosition = { latitude: EditableValue; longitude: EditableValue };

type Props = TypedPosition & { isOptional?: boolean };

/** Two fields that are filled in together: one without the other is a mistake. */
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

/** Fills in the location of the browser. Pages call this only on request; no other code reads the location. */
export async function fillCurrentPosition({ latitude, longitude }: TypedPosition): Promise<void> {
  const here = await currentPosition();
  latitude.value = String(Number(here.latitude.toFixed(digits)));
  longitude.value = String(Number(here.longitude.toFixed(digits)));
}

const currentPosition = (): Promise<GeolocationCoordinates> =>
  new Promise((resolve, reject) => {
    const fail = (reason: 'cannot' | 'refused' | 'unknown'): void => reject(new PageProblem('unavailable', t(reason)));
    if (!navigator.geolocation) return fail('cannot'); // not available to pages served over plain HTTP
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(coords),
      ({ code, PERMISSION_DENIED }) => fail(code === PERMISSION_DENIED ? 'refused' : 'unknown'),
      { timeout: waitMs },
    );
  });
