import type { CellStats } from '#contract/cloud/public.ts';
import { type DerTypeId, publicDerTypes } from '#contract/der.ts';
import { Card, Figure } from '../../parts/card.tsx';
import { derWords } from '../../parts/der-words.ts';
import { number, power } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { loadStats } from './cells.ts';

const t = texts({
  en: {
    title: 'Cell {index}',
    sites: 'Sites',
    ders: 'Things measured',
    frequency: 'Grid frequency',
    kind: 'Kind',
    count: 'How many',
    takes: 'Takes or uses',
    gives: 'Gives or generates',
    charge: 'Mean charge',
    alone: 'This cell has one site, so these are the totals of a single home.',
  },
  sv: {
    title: 'Ruta {index}',
    sites: 'Anläggningar',
    ders: 'Mätta saker',
    frequency: 'Nätfrekvens',
    kind: 'Slag',
    count: 'Antal',
    takes: 'Tar emot eller använder',
    gives: 'Ger eller producerar',
    charge: 'Laddning i medel',
    alone: 'Rutan har en enda anläggning, så värdena är ett enskilt hems.',
  },
});

const againMs = 15_000;

/** What the DERs of a cell do now, added up; looked at again while it is open. */
export function CellCard({ index }: { index: string }) {
  const stats = useLoad((signal) => loadStats(index, signal), [index], Math.floor(now.value / againMs));
  return (
    <Card title={t('title', { index })}>
      <Loaded from={stats}>{(value) => <Stats stats={value} />}</Loaded>
    </Card>
  );
}

function Stats({ stats: { site_count, der_count, avg_frequency_hz, der_summary } }: { stats: CellStats }) {
  const kinds = publicDerTypes.map(({ id }) => id).filter((id) => der_summary[id]);
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
        rows={kinds}
        keyOf={(kind: DerTypeId) => kind}
        columns={[
          { title: t('kind'), show: (kind) => derWords(kind) },
          { title: t('count'), isNumber: true, show: (kind) => number(der_summary[kind]!.count) },
          { title: t('takes'), isNumber: true, show: (kind) => power(der_summary[kind]!.total_import_w) },
          { title: t('gives'), isNumber: true, show: (kind) => power(der_summary[kind]!.total_export_w) },
          {
            title: t('charge'),
            isNumber: true,
            show: (kind) => {
              const percent = der_summary[kind]!.avg_soc_pct;
              return percent === null ? '–' : `${number(percent)} %`;
            },
          },
        ]}
      />
    </>
  );
}
