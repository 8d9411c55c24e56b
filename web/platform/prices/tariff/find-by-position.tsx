import { useSignal } from '@preact/signals';
import { Problem } from '#contract/problem.ts';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { Field } from '../../../parts/field.tsx';
import { setQuery } from '../../../parts/router.tsx';
import { texts } from '../../../parts/text.ts';
import { noTariff } from '../looked-at.ts';
import { locate, type Position } from './tariff-book.ts';

const t = texts({
  en: {
    open: 'Find the grid operator by a position',
    lat: 'Latitude, degrees north',
    lon: 'Longitude, degrees east',
    find: 'Find',
    here: 'Where I am',
    none: 'No grid operator is known there. Positions are known in Sweden; choose the operator by its name instead.',
    refused: 'The browser does not tell where you are. Type the position, or choose the operator by its name.',
  },
  sv: {
    open: 'Hitta elnätsföretaget med en position',
    lat: 'Latitud, grader nord',
    lon: 'Longitud, grader öst',
    find: 'Hitta',
    here: 'Där jag är',
    none: 'Inget elnätsföretag är känt där. Positioner är kända i Sverige; välj annars företaget efter namn.',
    refused: 'Webbläsaren berättar inte var du är. Skriv in positionen, eller välj företaget efter namn.',
  },
});

const whereIAm = (): Promise<Position> =>
  new Promise((resolve, reject) => {
    const refuse = (): void => reject(new Problem('unavailable', t('refused')));
    if (!navigator.geolocation) return refuse(); // pages of plain http addresses have none
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      refuse,
    );
  });

/** Looks at the area and the grid operator of a position. */
export function FindByPosition({ position }: { position: Position | undefined }) {
  const lat = useSignal(position ? String(position.lat) : '');
  const lon = useSignal(position ? String(position.lon) : '');
  const isFromBrowser = useSignal(false);
  const find = useAction(async () => {
    const asksBrowser = isFromBrowser.peek();
    isFromBrowser.value = false;
    const at = asksBrowser ? await whereIAm() : { lat: Number(lat.value), lon: Number(lon.value) };
    lat.value = String(at.lat);
    lon.value = String(at.lon);
    const found = await locate(at);
    if (!found) throw new Problem('not_found', t('none'));
    setQuery({ area: found.area, provider: found.providerId, tariff: noTariff });
  });
  const findHere = (): void => {
    isFromBrowser.value = true;
    void find.run();
  };
  return (
    <details>
      <summary>{t('open')}</summary>
      <ActionForm
        does={find}
        submit={t('find')}
        beside={
          <button type="button" disabled={find.isBusy} onClick={findHere}>
            {t('here')}
          </button>
        }
      >
        <div class="price-fields">
          <Field
            label={t('lat')}
            value={lat}
            type="number"
            min={-90}
            max={90}
            step="any"
            required
            placeholder="59.33"
          />
          <Field
            label={t('lon')}
            value={lon}
            type="number"
            min={-180}
            max={180}
            step="any"
            required
            placeholder="18.07"
          />
        </div>
      </ActionForm>
    </details>
  );
}
