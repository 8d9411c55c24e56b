import type { CellStats } from '#contract/cloud/public.ts';
import { publicDerTypes } from '#contract/der.ts';
import { Card, Figure } from '../../parts/card.tsx';
import { derWords } from '../../parts/der-words.ts';
import { number, percent, power } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { loadStats } from './cells.ts';

const t = texts({
  title: ['Cell {index}', 'Ruta {index}'],
  sites: ['Sites', 'Anläggningar'],
  ders: ['Devices', 'Enheter'],
  frequency: ['Grid frequency', 'Nätfrekvens'],
  kind: ['Type', 'Typ'],
  count: ['Count', 'Antal'],
  takes: ['Import or consumption', 'Köp eller förbrukning'],
  gives: ['Export or production', 'Försäljning eller produktion'],
  charge: ['Average state of charge', 'Genomsnittlig laddnivå'],
  alone: [
    'This cell has a single site, so these are the values of one home.',
    'Rutan har en enda anläggning, så värdena gäller ett enskilt hem.',
  ],
});

const refreshMs = 15_000;

/** Shows the totals of a cell, refreshed while it is open. */
export function CellCard({ index }: { index: string }) {
  const stats = useLoad((signal) => loadStats(index, signal), [index], Math.floor(now.value / refreshMs));
  return (
    <Card title={t('title', { index })}>
      <Loaded from={stats}>{(value) => <Stats stats={value} />}</Loaded>
    </Card>
  );
}

function Stats({ stats: { site_count, der_count, avg_frequency_hz, der_summary } }: { stats: CellStats }) {
  const rows = publicDerTypes.flatMap(({ id }) => {
    const summary = der_summary[id];
    return summary ? [{ id, ...summary }] : [];
  });
  return (
    <>
      {site_count === 1 && <p class="says">{t('alone')}</p>}
      <div class="figures">
        <Figure label={t('sites')} value={number(site_count)} />
        <Figure label={t('ders')} value={number(der_count)} />
        {avg_frequency_hz !== null && <Figure label={t('frequency')} value={`${number(avg_frequency_hz, 2)} Hz`} />}
      </div>
      <Table
        caption={t('ders')}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: t('kind'), show: ({ id }) => derWords(id) },
          { title: t('count'), isNumber: true, show: ({ count }) => number(count) },
          { title: t('takes'), isNumber: true, show: ({ total_import_w }) => power(total_import_w) },
          { title: t('gives'), isNumber: true, show: ({ total_export_w }) => power(total_export_w) },
          {
            title: t('charge'),
            isNumber: true,
            show: ({ avg_soc_pct }) => percent(avg_soc_pct === null ? undefined : avg_soc_pct / 100),
          },
        ]}
      />
    </>
  );
}
