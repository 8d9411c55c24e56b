import type { Tariff } from '#contract/price/eltariff.ts';
import { isValidOn } from '#contract/price/tariff-rules.ts';
import { dateAt } from '#contract/time-zone.ts';
import { editable } from '../../../parts/bound-value.ts';
import { Select } from '../../../parts/field.tsx';
import { type Load, Loaded, useLoad } from '../../../parts/load.tsx';
import { timeNow } from '../../../parts/now.ts';
import { loadTariffs, providerChoices, type TariffList, tariffChoices } from '../../market/tariffs.ts';
import { Charges } from './charges.tsx';
import { periodWords } from './when-words.ts';
import { YearCard } from './year-card.tsx';
import './tariff.css';
import { useSignal } from '@preact/signals';
import { ActionForm, Button, useAction } from '../../../parts/action.tsx';
import { Card, Notice } from '../../../parts/layout.tsx';
import { fillCurrentPosition, LatitudeLongitude } from '../../../parts/position.tsx';
import { PageProblem } from '../../../parts/problem-words.ts';
import { setQuery } from '../../../parts/router.tsx';
import { date, texts } from '../../../parts/text.ts';
import { findGridOperator, findProviderOf, listGridOperators, noPricesNote } from '../../market/grid-operators.ts';
import type { Position } from '../../market/total-price.ts';
import { none, type PriceSelection } from '../selection.ts';

const t = texts({
  says: 'The charges of your grid operator. The energy charge of the selected tariff is included in the total price above.',
  chooseProvider: 'Choose a grid operator',
  tariff: 'Tariff',
  chooseTariff: 'None (prices without grid fees)',
  fit: 'Choose the tariff named on your invoice from {operator}. It often depends on your main fuse.',
  valid: 'Valid {period}.',
  outOfDate: 'These prices do not apply today. The total price above uses the latest known price list of this tariff.',
  source: 'Source: {from}. {trust}',
  updated: 'Updated {date}.',
  open: 'Find grid operator by position',
  find: 'Find',
  none: 'No grid operator found at this position. Positions work only in Sweden; otherwise choose the grid operator from the list.',
});

/** How certain the source of the prices is. */
const confidences = texts({
  official: 'Published by the grid operator.',
  high: 'Prices and rules are published.',
  medium: 'The prices are published; one rule is an interpretation.',
});

type TariffCardProps = {
  selection: PriceSelection;
  position: Position | undefined;
  /** about the grid operator of the site */
  note: string | undefined;
};

export function TariffCard({ selection, position, note }: TariffCardProps) {
  const { providerId, tariffId } = selection;
  const providers = useLoad(listGridOperators, []);
  const loaded = useLoad(
    async (signal) => {
      const id = providerId ?? (tariffId && (await findProviderOf(tariffId, signal)));
      return id ? loadTariffs(id, signal) : null;
    },
    [providerId, providerId ? undefined : tariffId],
  );
  const book = tariffListFor(selection, loaded);
  const known = book.value;
  const chosen = known?.tariffs.find(({ id }) => id === tariffId);
  return (
    <>
      <Card title={t('gridTariff')} says={t('says')}>
        <Loaded from={providers} lines={1}>
          {(list) => (
            <div class="price-fields">
              <Select
                label={t('gridOperator')}
                value={editable(known?.providerId ?? providerId ?? '', chooseProvider)}
                choices={[{ value: '', label: t('chooseProvider') }, ...providerChoices(list)]}
              />
              {known && (
                <Select
                  label={t('tariff')}
                  value={editable(tariffId ?? '', (id) => setQuery({ provider: known.providerId, tariff: id || none }))}
                  choices={[{ value: '', label: t('chooseTariff') }, ...tariffChoices(known.tariffs)]}
                />
              )}
            </div>
          )}
        </Loaded>
        {note && !providerId && !tariffId && <Notice>{note}</Notice>}
        <FindByPosition position={position} />
        <Loaded from={book} lines={3}>
          {(list) => list && <About book={list} tariff={chosen} />}
        </Loaded>
      </Card>
      {known && chosen && <YearCard key={chosen.id} tariff={chosen} patterns={known.calendarPatterns} />}
    </>
  );
}

/** Drops the tariffs of a grid operator when another is selected. */
function tariffListFor({ providerId, tariffId }: PriceSelection, book: Load<TariffList | null>): typeof book {
  if (!providerId && !tariffId) return { ...book, value: null };
  const { value, ...rest } = book;
  return value && providerId && value.providerId !== providerId ? rest : book;
}

const chooseProvider = (id: string): void => setQuery({ provider: id || none, tariff: none });

function About({ book: { operator, source }, tariff }: { book: TariffList; tariff: Tariff | undefined }) {
  if (!tariff) return <p class="says">{t('fit', { operator })}</p>;
  const { name, description, validPeriod, timeZone, lastUpdated } = tariff;
  return (
    <>
      <h3>
        {operator}, {name}
      </h3>
      {description && <p class="says">{description}</p>}
      {!isValidOn(validPeriod, dateAt(timeZone, timeNow())) && <Notice tone="warning">{t('outOfDate')}</Notice>}
      <Charges tariff={tariff} />
      <div class="about says">
        <p>
          {t('valid', { period: periodWords(validPeriod) })}{' '}
          {t('updated', { date: date(Date.parse(lastUpdated), timeZone) })}
        </p>
        {source && <p>{t('source', { from: source.from.join('; '), trust: confidences.orName(source.confidence) })}</p>}
        {source?.caveat && <p>{source.caveat}</p>}
      </div>
    </>
  );
}

function FindByPosition({ position }: { position: Position | undefined }) {
  const latitude = useSignal(position ? String(position.lat) : '');
  const longitude = useSignal(position ? String(position.lon) : '');
  const isFromBrowser = useSignal(false);
  const find = useAction(async () => {
    const asksBrowser = isFromBrowser.peek();
    isFromBrowser.value = false;
    if (asksBrowser) await fillCurrentPosition({ latitude, longitude });
    const found = await findGridOperator({ lat: Number(latitude.value), lon: Number(longitude.value) });
    if (!found) throw new PageProblem('not_found', t('none'));
    setQuery({ area: found.area, provider: found.providerId ?? none, tariff: none });
    return noPricesNote(found);
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
        beside={<Button label={t('useLocation')} isDisabled={find.isBusy} onClick={findHere} />}
      >
        <div class="price-fields">
          <LatitudeLongitude latitude={latitude} longitude={longitude} />
        </div>
        {find.result && <Notice>{find.result}</Notice>}
      </ActionForm>
    </details>
  );
}
