import { useSignal } from '@preact/signals';
import { ActionForm, useAction } from '../../../parts/action.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { fillCurrentPosition, LatitudeLongitude } from '../../../parts/position.tsx';
import { PageProblem } from '../../../parts/problem-words.ts';
import { setQuery } from '../../../parts/router.tsx';
import { texts } from '../../../parts/text.ts';
import { locate, noPricesWords, type Position } from '../../market/grid-operators.ts';
import { none } from '../looked-at.ts';

const t = texts({
  en: {
    open: 'Find the grid operator by a position',
    find: 'Find',
    here: 'Where I am',
    none: 'No grid operator is known there. Positions are known in Sweden; choose the operator by its name instead.',
  },
  sv: {
    open: 'Hitta elnätsföretaget med en position',
    find: 'Hitta',
    here: 'Där jag är',
    none: 'Inget elnätsföretag är känt där. Positioner är kända i Sverige; välj annars företaget efter namn.',
  },
});

/** Looks at the area and the grid operator of a position. */
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
    const found = await locate({ lat: Number(latitude.value), lon: Number(longitude.value) });
    if (!found) throw new PageProblem('not_found', t('none'));
    note.value = noPricesWords(found);
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
