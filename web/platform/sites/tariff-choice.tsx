import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { type Choice, Select } from '../../parts/field.tsx';
import { useLoad } from '../../parts/load.tsx';
import { Failed } from '../../parts/notice.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { texts } from '../../parts/text.ts';
import { listProviders, locate, providerOf, tariffsOf } from '../market/grid-operators.ts';

const t = texts({
  en: {
    operator: 'Grid operator',
    tariff: 'Grid tariff',
    none: 'Not set',
    says: 'What the grid operator charges; with it the prices are whole. The subscription goes by the fuse.',
    find: 'Find the operator by the position',
    nowhere: 'No grid operator is known there. Choose it by its name.',
    until: '{name}, until {day}',
  },
  sv: {
    operator: 'Elnätsföretag',
    tariff: 'Elnätstariff',
    none: 'Inte valt',
    says: 'Det elnätsföretaget tar betalt; med det blir priserna hela. Abonnemanget följer säkringen.',
    find: 'Hitta företaget med positionen',
    nowhere: 'Inget elnätsföretag är känt där. Välj det efter namn.',
    until: '{name}, till {day}',
  },
});

type TariffProps = { tariffId: Signal<string>; latitude: Signal<string>; longitude: Signal<string> };

/** The tariff of the grid operator: first whose, then which. */
export function TariffChoice({ tariffId, latitude, longitude }: TariffProps) {
  const provider = useSignal('');
  const providers = useLoad(listProviders, []);
  const own = useLoad(async (signal) => tariffId.peek() && providerOf(tariffId.peek(), signal), [tariffId]);
  useEffect(() => {
    if (own.value && provider.peek() === '') provider.value = own.value; // what was chosen meanwhile stays
  }, [own.value]);
  const tariffs = useLoad(async (signal) => choicesOf(provider.value, signal), [provider.value]);
  const find = useAction(async () => {
    const found = await locate({ lat: Number(latitude.value), lon: Number(longitude.value) });
    if (!found) throw new PageProblem('not_found', t('nowhere'));
    provider.value = found.providerId;
  });
  const none: Choice = { value: '', label: t('none') };
  const isListed = tariffId.value === '' || tariffs.value?.some(({ value }) => value === tariffId.value);
  return (
    <>
      {[providers, own, tariffs].map(
        ({ problem, again }, i) => problem !== undefined && <Failed key={i} problem={problem} again={again} />,
      )}
      <Select
        label={t('operator')}
        value={provider}
        choices={[none, ...(providers.value ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {latitude.value !== '' && longitude.value !== '' && (
        <div class="actions">
          <ActionButton does={find} tone="plain">
            {t('find')}
          </ActionButton>
        </div>
      )}
      {find.problem !== undefined && <Failed problem={find.problem} />}
      <Select
        label={t('tariff')}
        says={t('says')}
        value={tariffId}
        choices={[
          none,
          ...(isListed ? [] : [{ value: tariffId.value, label: tariffId.value }]),
          ...(tariffs.value ?? []),
        ]}
      />
    </>
  );
}

async function choicesOf(providerId: string, signal: AbortSignal): Promise<Choice[]> {
  if (providerId === '') return [];
  const tariffs = await tariffsOf(providerId, signal);
  return tariffs.map(({ id, name, validPeriod }) => ({
    value: id,
    label: t('until', { name, day: validPeriod.toExcluding }),
  }));
}
