import { signal } from '@preact/signals';
import type { CellStats } from '#contract/cloud/public.ts';
import { publicDerTypes } from '#contract/der.ts';
import { derWords } from '../../parts/der-words.ts';
import { Card, Empty, Figure, PageHead, Table, TableCard } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { number, percent, power, texts } from '../../parts/text.ts';
import { type DrawnCell, loadCells, loadStats } from './cells.ts';
import { MapCanvas } from './map-canvas.tsx';
import './map.css';
import { Button } from '../../parts/action.tsx';

const t = texts({
  says: 'Anyone can view this map. Each cell is a hexagon of about 36 km² and shows the combined power of its sites, never where they are.',
  single: 'A cell with one home shows that home’s values.',
  none: 'No cells to show yet',
  noneSays: 'A site with a position is counted in its cell once the cell has enough sites.',
  cells: 'Cells',
  cell: 'Cell',
  where: 'Centre',
  kinds: 'Device types',
  show: 'Show',
  titleCell: 'Cell {index}',
  frequency: 'Grid frequency',
  count: 'Count',
  takes: 'Import or consumption',
  gives: 'Export or production',
  charge: 'Average state of charge',
  alone: 'This cell has a single site, so these are the values of one home.',
});

const chosen = signal<string | undefined>(undefined);

export default function MapPage() {
  const cells = useLoad(loadCells, []);
  return (
    <>
      <PageHead title={t('publicMap')} says={t('says')} />
      <Loaded from={cells} lines={6} empty={<Empty title={t('none')} says={t('noneSays')} />}>
        {(list) => (
          <>
            {list.some(({ site_count }) => site_count === 1) && <p class="says">{t('single')}</p>}
            <MapCanvas cells={list} chosen={chosen} />
            {chosen.value && <CellCard key={chosen.value} index={chosen.value} />}
            <CellTable cells={list} />
          </>
        )}
      </Loaded>
    </>
  );
}

function CellTable({ cells }: { cells: readonly DrawnCell[] }) {
  return (
    <TableCard
      title={t('cells')}
      rows={cells}
      keyOf={({ h3_index }) => h3_index}
      columns={[
        { title: t('cell'), show: ({ h3_index }) => <code>{h3_index}</code> },
        { title: t('where'), show: (cell) => `${number(cell.center_lat, 2)}, ${number(cell.center_lng, 2)}` },
        { title: t('sites'), isNumber: true, show: ({ site_count }) => number(site_count) },
        { title: t('kinds'), show: ({ der_types }) => der_types.map((type) => derWords(type)).join(', ') },
        {
          title: '',
          show: ({ h3_index }) => (
            <Button
              label={t('show')}
              tone="quiet"
              ariaLabel={`${t('show')} ${h3_index}`}
              onClick={() => (chosen.value = h3_index)}
            />
          ),
        },
      ]}
    />
  );
}

const refreshMs = 15_000;

/** Shows the totals of a cell, refreshed while it is open. */
function CellCard({ index }: { index: string }) {
  const stats = useLoad((signal) => loadStats(index, signal), [index], Math.floor(now.value / refreshMs));
  return (
    <Card title={t('titleCell', { index })}>
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
        <Figure label={t('devices')} value={number(der_count)} />
        {avg_frequency_hz !== null && <Figure label={t('frequency')} value={`${number(avg_frequency_hz, 2)} Hz`} />}
      </div>
      <Table
        caption={t('devices')}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: t('type'), show: ({ id }) => derWords(id) },
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
