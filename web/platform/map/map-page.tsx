import { signal } from '@preact/signals';
import type { CellStats } from '#contract/cloud/public.ts';
import { publicDerTypes } from '#contract/der.ts';
import { derWords } from '../../parts/der-words.ts';
import { Card, Details, Empty, Figure, PageHead, Table, TableCard } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { number, percent, power, texts } from '../../parts/text.ts';
import { type DrawnCell, loadCells, loadRules, loadStats } from './cells.ts';
import { MapCanvas } from './map-canvas.tsx';
import { placeWords, positionWords } from './places.ts';
import './map.css';
import { Button } from '../../parts/action.tsx';

const t = texts({
  says: 'Anyone can view this map. Each cell is a hexagon of about 36 km². It shows the combined power of its sites, never their addresses.',
  shown: 'Shown to the public',
  every: 'Every cell with a site is shown. A cell with one home shows that home’s totals, at once.',
  guarded:
    'Only cells with at least {count} sites are shown, with totals only of device types that as many sites have. Totals change every {minutes} minutes, so that they do not reveal a single home. The number of sites shows when one joins or leaves.',
  setting: 'The operator of the platform changes this with {setting} ({value} now).',
  cellsShown: 'Cells shown',
  sitesShown: 'Sites in them',
  none: 'No cells to show yet',
  noneSays: 'A site with a position is counted in its cell once the cell has enough sites.',
  cells: 'Cells',
  cell: 'Cell',
  where: 'Centre',
  kinds: 'Device types',
  show: 'Show',
  frequency: 'Grid frequency',
  count: 'Count',
  takes: 'Import or consumption',
  gives: 'Export or production',
  charge: 'Average state of charge',
  alone: 'This cell has a single site, so these are the values of one home.',
  index: 'H3 index',
});

const chosen = signal<string | undefined>(undefined);

/** Names a cell by the closest town, or by its coordinates if none is near. */
const nameOf = ({ center_lat, center_lng }: DrawnCell): string =>
  placeWords(center_lat, center_lng) ?? positionWords(center_lat, center_lng);

export default function MapPage() {
  const cells = useLoad(loadCells, []);
  return (
    <>
      <PageHead title={t('publicMap')} says={t('says')} />
      <Loaded from={cells} lines={6}>
        {(list) => {
          const cell = list.find(({ h3_index }) => h3_index === chosen.value);
          return (
            <>
              {list.length === 0 ? (
                <Empty title={t('none')} says={t('noneSays')} />
              ) : (
                <MapCanvas cells={list} chosen={chosen} />
              )}
              {cell && <CellCard key={cell.h3_index} cell={cell} />}
              {list.length > 0 && <CellTable cells={list} />}
              <RulesCard cells={list} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Shows the setting and the counts that everybody can see, also to the operator of the platform. */
function RulesCard({ cells }: { cells: readonly DrawnCell[] }) {
  const rules = useLoad(loadRules, []);
  const sites = cells.reduce((sum, { site_count }) => sum + site_count, 0);
  return (
    <Card title={t('shown')}>
      <Loaded from={rules}>
        {({ min_sites, totals_interval_s }) => (
          <>
            <p>{min_sites > 1 ? t('guarded', { count: min_sites, minutes: totals_interval_s / 60 }) : t('every')} </p>
            <div class="figures">
              <Figure label={t('cellsShown')} value={number(cells.length)} />
              <Figure label={t('sitesShown')} value={number(sites)} />
            </div>
            <p class="says">{t('setting', { setting: 'PUBLIC_MIN_SITES', value: min_sites })}</p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

function CellTable({ cells }: { cells: readonly DrawnCell[] }) {
  return (
    <TableCard
      title={t('cells')}
      rows={cells}
      keyOf={({ h3_index }) => h3_index}
      columns={[
        { title: t('cell'), show: nameOf },
        { title: t('where'), show: ({ center_lat, center_lng }) => positionWords(center_lat, center_lng) },
        { title: t('sites'), isNumber: true, show: ({ site_count }) => number(site_count) },
        { title: t('kinds'), show: ({ der_types }) => der_types.map((type) => derWords(type)).join(', ') },
        {
          title: '',
          isAction: true,
          show: (cell) => (
            <Button
              label={t('show')}
              tone="quiet"
              ariaLabel={`${t('show')} ${nameOf(cell)}`}
              onClick={() => (chosen.value = cell.h3_index)}
            />
          ),
        },
      ]}
    />
  );
}

const refreshMs = 15_000;

/** Shows the totals of a cell, refreshed while it is open. */
function CellCard({ cell }: { cell: DrawnCell }) {
  const { h3_index, center_lat, center_lng } = cell;
  const stats = useLoad((signal) => loadStats(h3_index, signal), [h3_index], Math.floor(now.value / refreshMs));
  return (
    <Card title={nameOf(cell)} subtitle={positionWords(center_lat, center_lng)}>
      <Loaded from={stats}>{(value) => <Stats stats={value} />}</Loaded>
      <Details>
        <p>
          {t('index')}: <code>{h3_index}</code>
        </p>
      </Details>
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
