import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { boundValue, type EditableValue } from '../../parts/bound-value.ts';
import { type Choice, Select } from '../../parts/field.tsx';
import { Failed, Notice } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { texts } from '../../parts/text.ts';
import { findGridOperator, findProviderOf, listGridOperators, noPricesNote } from '../market/grid-operators.ts';
import { loadTariffs, providerChoices, tariffChoices } from '../market/tariffs.ts';

const t = texts({
  says: 'Needed to include the grid fee in prices. The tariff usually depends on your main fuse.',
  find: 'Find grid operator from position',
  nowhere: 'No grid operator found at this position. Choose one from the list.',
  which: 'Choose a tariff, or clear the grid operator.',
  unknown: 'Unknown tariff',
});

type TariffChoiceProps = {
  tariffId: EditableValue;
  /** empty if unknown */
  position: { latitude: string; longitude: string };
  /** changes when another tariff was set by the page */
  form: unknown;
  /** says what holds without a choice */
  notChosen?: string;
};

/** Chooses a grid operator, then one of its tariffs. */
export function TariffChoice({ tariffId, position, form, notChosen = t('notSet') }: TariffChoiceProps) {
  const { latitude, longitude } = position;
  const provider = useSignal('');
  const providers = useLoad(listGridOperators, []);
  const own = useLoad(async (signal) => tariffId.value && findProviderOf(tariffId.value, signal), [form]);
  useEffect(() => {
    // Keep what was chosen in the meantime.
    if (own.value && provider.peek() === '' && tariffId.value !== '') provider.value = own.value;
  }, [own.value]);
  const book = useLoad(async (signal) => provider.peek() && loadTariffs(provider.peek(), signal), [provider.value]);
  // The previous operator's tariffs stay loaded until the next arrive.
  const tariffs = book.value && book.value.providerId === provider.value ? tariffChoices(book.value.tariffs) : [];
  const find = useAction(async () => {
    const found = await findGridOperator({ lat: Number(latitude), lon: Number(longitude) });
    if (!found) throw new PageProblem('not_found', t('nowhere'));
    if (found.providerId !== undefined) choose(found.providerId);
    return noPricesNote(found);
  });
  const choose = (id: string): void => {
    if (id !== provider.peek()) tariffId.value = ''; // it belongs to another operator
    provider.value = id;
  };
  const none: Choice = { value: '', label: notChosen };
  const isListed = tariffId.value === '' || tariffs.some(({ value }) => value === tariffId.value);
  // The provider is set, and its tariffs are requested, one render after it was found.
  const isLoading = own.isLoading || book.isLoading || (!!own.value && !book.value && !book.problem);
  return (
    <>
      {[providers, own, book].map(({ problem, again }, i) => (
        <Failed key={i} problem={problem} again={again} />
      ))}
      <Select
        label={t('gridOperator')}
        value={boundValue(() => provider.value, choose)}
        choices={[none, ...providerChoices(providers.value ?? [])]}
      />
      {latitude !== '' && longitude !== '' && <ActionButton does={find} tone="plain" label={t('find')} />}
      {find.result && <Notice>{find.result}</Notice>}
      <Select
        label={t('gridTariff')}
        says={t('says')}
        value={tariffId}
        {...(provider.value !== '' && tariffId.value === '' && { mistake: t('which') })}
        choices={[
          none,
          ...(isListed ? [] : [{ value: tariffId.value, label: isLoading ? '…' : t('unknown') }]),
          ...tariffs,
        ]}
      />
    </>
  );
}
