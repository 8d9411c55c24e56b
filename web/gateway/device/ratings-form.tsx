import { type Signal, signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { derTypeOf } from '#contract/der.ts';
import { type DerChange, type DerEntry, derSettings, setDers } from '#contract/gateway/devices.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { derWords } from '../../parts/der-words.ts';
import { DecimalField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  title: ['Ratings', 'Märkdata'],
  says: [
    'Limits for control commands. Values that the device reports are filled in.',
    'Gränser för styrkommandon. Värden som enheten rapporterar är ifyllda.',
  ],
  rated_power: ['{der}: rated power (W)', '{der}: märkeffekt (W)'],
  installed_power: ['{der}: installed power (W)', '{der}: installerad effekt (W)'],
  capacity: ['{der}: capacity (Wh)', '{der}: kapacitet (Wh)'],
  save: ['Save', 'Spara'],
  saved: ['Saved.', 'Sparat.'],
});

type Setting = 'rated_power' | 'installed_power' | 'capacity';
type Row = { type: DerEntry['type']; setting: Setting; text: Signal<string> };

const rowsOf = (ders: readonly DerEntry[]): Row[] =>
  ders.flatMap((der) =>
    derSettings[der.type].map((setting) => ({ type: der.type, setting, text: signal(String(der[setting] ?? '')) })),
  );

/** Returns one change for each DER, with the fields that are filled in. */
function changesOf(rows: readonly Row[]): DerChange[] {
  const filled = rows.filter(({ text }) => text.value !== '');
  return [...new Set(filled.map(({ type }) => type))].map((type) => ({
    type,
    ...Object.fromEntries(
      filled.filter((row) => row.type === type).map(({ setting, text }) => [setting, Number(text.value)]),
    ),
  }));
}

/** Edits rated powers and capacities. Polling does not overwrite typed values, and a known value cannot be removed. */
export function RatingsForm({ sn, ders }: { sn: string; ders: readonly DerEntry[] }) {
  const rows = useMemo(() => rowsOf(ders), [ders.map(({ type }) => type).join()]);
  const isSaved = useSignal(false);
  const save = useAction(async () => {
    isSaved.value = false;
    await gateway.call(setDers, { params: { sn }, body: { ders: changesOf(rows) } });
    isSaved.value = true;
  });
  if (rows.length === 0) return null;
  return (
    <Card title={t('title')} says={t('says')}>
      <ActionForm does={save} submit={t('save')}>
        {rows.map(({ type, setting, text }) => (
          <DecimalField
            key={`${type} ${setting}`}
            label={t(setting, { der: derWords(derTypeOf(type)) })}
            min={0}
            max={1e9}
            required={ders.some((der) => der.type === type && der[setting] !== undefined)}
            value={text}
          />
        ))}
        {isSaved.value && <Notice tone="good">{t('saved')}</Notice>}
      </ActionForm>
    </Card>
  );
}
