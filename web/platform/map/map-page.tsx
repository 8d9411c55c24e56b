import { signal } from '@preact/signals';
import { Card } from '../../parts/card.tsx';
import { derWords } from '../../parts/der-words.ts';
import { number } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Empty } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { CellCard } from './cell-card.tsx';
import { type DrawnCell, loadCells } from './cells.ts';
import { MapCanvas } from './map-canvas.tsx';
import './map.css';

const t = texts({
  title: ['Public map', 'Öppen karta'],
  says: [
    'Anyone can view this map. Each cell is a hexagon of about 36 km² and shows the combined power of its sites, never where they are.',
    'Kartan är öppen för alla. Varje ruta är en sexhörning på omkring 36 km² och visar anläggningarnas sammanlagda effekt, aldrig var de ligger.',
  ],
  single: ['A cell with one home shows that home’s values.', 'En ruta med ett enda hem visar det hemmets värden.'],
  none: ['No cells to show yet', 'Inga rutor att visa ännu'],
  noneSays: [
    'A site with a position is counted in its cell once the cell has enough sites.',
    'En anläggning med en position räknas in i sin ruta när rutan har tillräckligt många anläggningar.',
  ],
  cells: ['Cells', 'Rutor'],
  cell: ['Cell', 'Ruta'],
  where: ['Centre', 'Mittpunkt'],
  sites: ['Sites', 'Anläggningar'],
  kinds: ['Device types', 'Enhetstyper'],
  show: ['Show', 'Visa'],
});

const chosen = signal<string | undefined>(undefined);

export default function MapPage() {
  const cells = useLoad(loadCells, []);
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      <Loaded from={cells} lines={6}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')}>
              <p class="says">{t('noneSays')}</p>
            </Empty>
          ) : (
            <>
              {list.some(({ site_count }) => site_count === 1) && <p class="says">{t('single')}</p>}
              <MapCanvas cells={list} chosen={chosen} />
              {chosen.value && <CellCard key={chosen.value} index={chosen.value} />}
              <CellTable cells={list} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function CellTable({ cells }: { cells: readonly DrawnCell[] }) {
  return (
    <Card title={t('cells')}>
      <Table
        caption={t('cells')}
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
              <button
                type="button"
                class="quiet"
                aria-label={`${t('show')} ${h3_index}`}
                onClick={() => (chosen.value = h3_index)}
              >
                {t('show')}
              </button>
            ),
          },
        ]}
      />
    </Card>
  );
}
