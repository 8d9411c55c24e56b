import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { boundValue } from '../../parts/bound-value.ts';
import { type Choice, Select } from '../../parts/field.tsx';
import { useLoad } from '../../parts/load.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { texts } from '../../parts/text.ts';
import { listProviders, locate, noPricesWords, providerOf } from '../market/grid-operators.ts';
import { loadBook, providerChoices, tariffChoices } from '../market/tariffs.ts';

const t = texts({
  en: {
    operator: 'Grid operator',
    tariff: 'Grid tariff',
    none: 'Not set',
    says: 'What the grid operator charges; with it the prices are whole. The subscription goes by the fuse.',
    find: 'Find the operator by the position',
    nowhere: 'No grid operator is known there. Choose it by its name.',
    which: 'Choose which of the operator’s tariffs it is, or no operator.',
    unknown: 'A tariff that is not known here: {id}',
  },
  sv: {
    operator: 'Elnätsföretag',
    tariff: 'Elnätstariff',
    none: 'Inte valt',
    says: 'Det elnätsföretaget tar betalt; med det blir priserna hela. Abonnemanget följer säkringen.',
    find: 'Hitta företaget med positionen',
    nowhere: 'Inget elnätsföretag är känt där. Välj det efter namn.',
    which: 'Välj vilken av företagets tariffer det är, eller inget företag.',
    unknown: 'En tariff som inte är känd här: {id}',
  },
});

type TariffProps = { tariffId: Signal<string>; latitude: Signal<string>; longitude: Signal<string> };

/** The tariff of the grid operator: first whose, then which. */
export function TariffChoice({ tariffId, latitude, longitude }: TariffProps) {
  const provider = useSignal('');
  const providers = useLoad(listProviders, []);
  const own = useLoad(async (signal) => tariffId.peek() && providerOf(tariffId.peek(), signal), [tariffId]);
  useEffect(() => {
    // What was chosen meanwhile stays.
    if (own.value && provider.peek() === '' && tariffId.peek() !== '') provider.value = own.value;
  }, [own.value]);
  const book = useLoad(async (signal) => provider.peek() && loadBook(provider.peek(), signal), [provider.value]);
  // That of the operator before is there until the next is loaded.
  const tariffs = book.value && book.value.providerId === provider.value ? tariffChoices(book.value.tariffs) : [];
  const note = useSignal<string | undefined>(undefined);
  const find = useAction(async () => {
    note.value = undefined;
    const found = await locate({ lat: Number(latitude.value), lon: Number(longitude.value) });
    if (!found) throw new PageProblem('not_found', t('nowhere'));
    note.value = noPricesWords(found);
    if (found.providerId !== undefined) choose(found.providerId);
  });
  const choose = (id: string): void => {
    if (id !== provider.peek()) tariffId.value = ''; // it is one of another operator
    provider.value = id;
  };
  const none: Choice = { value: '', label: t('none') };
  const isListed = tariffId.value === '' || tariffs.some(({ value }) => value === tariffId.value);
  const isLoading = own.isLoading || book.isLoading;
  return (
    <>
      {[providers, own, book].map(
        ({ problem, again }, i) => problem !== undefined && <Failed key={i} problem={problem} again={again} />,
      )}
      <Select
        label={t('operator')}
        value={boundValue(() => provider.value, choose)}
        choices={[none, ...providerChoices(providers.value ?? [])]}
      />
      {latitude.value !== '' && longitude.value !== '' && (
        <div class="actions">
          <ActionButton does={find} tone="plain">
            {t('find')}
          </ActionButton>
        </div>
      )}
      {find.problem !== undefined && <Failed problem={find.problem} />}
      {note.value && <Notice>{note.value}</Notice>}
      <Select
        label={t('tariff')}
        says={t('says')}
        value={tariffId}
        {...(provider.value !== '' && tariffId.value === '' && { mistake: t('which') })}
        choices={[
          none,
          ...(isListed
            ? []
            : [{ value: tariffId.value, label: isLoading ? '…' : t('unknown', { id: tariffId.value }) }]),
          ...tariffs,
        ]}
      />
    </>
  );
}
