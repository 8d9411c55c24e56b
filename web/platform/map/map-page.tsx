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
  en: {
    title: 'Public map',
    says: 'Everybody may look. A cell is a hexagon of about 36 square kilometres with the power of the sites in it; the place of a home cannot be seen.',
    none: 'No cell has a site yet',
    noneSays: 'A site with a position appears here as a part of its cell.',
    cells: 'The cells',
    cell: 'Cell',
    where: 'Middle',
    sites: 'Sites',
    kinds: 'What is there',
    show: 'Show',
  },
  sv: {
    title: 'Öppen karta',
    says: 'Alla får titta. En ruta är en sexhörning på omkring 36 kvadratkilometer med effekten hos anläggningarna i den; ett hems plats syns inte.',
    none: 'Ingen ruta har en anläggning ännu',
    noneSays: 'En anläggning med en plats syns här som en del av sin ruta.',
    cells: 'Rutorna',
    cell: 'Ruta',
    where: 'Mitt',
    sites: 'Anläggningar',
    kinds: 'Det som finns där',
    show: 'Visa',
  },
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
                onClick={() => {
                  chosen.value = h3_index;
                }}
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
