import { useSignal } from '@preact/signals';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { fillCurrentPosition, LatitudeLongitude } from '../../../parts/position.tsx';
import { PageProblem } from '../../../parts/problem-words.ts';
import { setQuery } from '../../../parts/router.tsx';
import { texts } from '../../../parts/text.ts';
import { findGridOperator, noPricesNote } from '../../market/grid-operators.ts';
import type { Position } from '../../market/total-price.ts';
import { none } from '../selection.ts';

const t = texts({
  open: ['Find grid operator by position', 'Hitta elnätsföretag från en position'],
  find: ['Find', 'Hitta'],
  here: ['Use my location', 'Använd min plats'],
  none: [
    'No grid operator found at this position. Positions work only in Sweden; otherwise choose the grid operator from the list.',
    'Inget elnätsföretag hittades på positionen. Positioner fungerar bara i Sverige; välj annars företaget i listan.',
  ],
});

/** Selects the price area and grid operator at a position. */
export function FindByPosition({ position }: { position: Position | undefined }) {
  const latitude = useSignal(position ? String(position.lat) : '');
  const longitude = useSignal(position ? String(position.lon) : '');
  const isFromBrowser = useSignal(false);
  const note = useSignal<string | undefined>(undefined);
  const find = useAction(async () => {
    note.value = undefined;
    const asksBrowser = isFromBrowser.peek();
    isFromBrowser.value = false;
    if (asksBrowser) await fillCurrentPosition({ latitude, longitude });
    const found = await findGridOperator({ lat: Number(latitude.value), lon: Number(longitude.value) });
    if (!found) throw new PageProblem('not_found', t('none'));
    note.value = noPricesNote(found);
    setQuery({ area: found.area, provider: found.providerId ?? none, tariff: none });
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
          <LatitudeLongitude latitude={latitude} longitude={longitude} />
        </div>
        {note.value && <Notice>{note.value}</Notice>}
      </ActionForm>
    </details>
  );
}
