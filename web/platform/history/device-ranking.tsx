import { type DeviceEnergy, type EnergyTotal, getSiteDeviceEnergy } from '#contract/cloud/energy.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { derWords } from '../../parts/der-words.ts';
import { Card, Table } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { energy, inSentence, percent, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { CsvButton } from './csv-button.tsx';
import { type Row, rowsOf } from './device-rows.ts';
import { csvName, isoRange, onlyFor, passedEnd, type Range } from './range.ts';
import { slowTurn, unlessPassedBy } from './use-energy.ts';

const t = texts({
  title: 'Energy by device',
  used: 'Used and exported',
  supplied: 'Produced and imported',
  share: 'Share',
  subMeter: 'Sub-meter',
  deleted: 'Deleted device',
  rest: 'Rest of the house',
  measured: 'measured {share} of the time',
  estimated: '{energy} estimated',
  says: 'Shares are of all the energy that the site used, stored and exported. A sub-meter is a part of the house.',
  csv: 'Download CSV (per device)',
});

type RankingProps = { site: SiteDetails; range: Range; total: EnergyTotal; nowMs: number };

export function DeviceRanking({ site, range, total, nowMs }: RankingProps) {
  const { from, to } = range;
  const params = { site_id: site.id };
  const query = isoRange({ from, to: passedEnd(range, nowMs) });
  const loaded = useLoad(
    async (signal) => {
      await unlessPassedBy(signal);
      const { devices } = await api().call(getSiteDeviceEnergy, { params, query, signal });
      return { span: { from, to }, devices };
    },
    [site.id, from, to],
    slowTurn(range, nowMs),
  );
  return (
    <Card title={t('title')}>
      <Loaded from={onlyFor(loaded, range)}>
        {({ devices }) => (
          <div class="rankings">
            <Ranking site={site} title={t('used')} rows={rowsOf(devices, 'used', total)} total={total} />
            <Ranking site={site} title={t('supplied')} rows={rowsOf(devices, 'supplied', total)} total={total} />
          </div>
        )}
      </Loaded>
      <p class="says">{t('says')}</p>
      <div class="actions">
        <CsvButton
          label={t('csv')}
          name={csvName(`${site.id}-devices`, range, site.timezone)}
          route={getSiteDeviceEnergy}
          params={params}
          query={query}
        />
      </div>
    </Card>
  );
}

type RankingTableProps = { site: SiteDetails; title: string; rows: readonly Row[]; total: EnergyTotal };

function Ranking({ site, title, rows, total }: RankingTableProps) {
  if (rows.length === 0) return null;
  const all = total.import_wh + total.solar_wh + total.battery_discharge_wh + total.car_discharge_wh;
  return (
    <section>
      <h3>{title}</h3>
      <Table
        caption={title}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: t('device'), show: ({ device }) => <Name site={site} device={device} /> },
          { title: t('energy'), isNumber: true, show: ({ wh }) => <data value={wh}>{energy(wh)}</data> },
          { title: t('share'), isNumber: true, show: ({ wh }) => <Share of={all > 0 ? wh / all : undefined} /> },
        ]}
      />
    </section>
  );
}

const Share = ({ of }: { of: number | undefined }) => (
  <span class="share" style={{ '--share': `${100 * Math.min(1, of ?? 0)}%` }}>
    {percent(of)}
  </span>
);

function Name({ site, device }: { site: SiteDetails; device: DeviceEnergy | undefined }) {
  if (!device) return t('rest');
  const { device_id, name, kind, coverage_pct, estimated_wh } = device;
  const notes = [
    ...(kind === 'sub_meter' ? [] : [inSentence(derWords(kind))]),
    ...(coverage_pct < 99.5 ? [t('measured', { share: percent(Math.floor(coverage_pct) / 100) })] : []),
    ...(estimated_wh > 0 ? [t('estimated', { energy: energy(estimated_wh) })] : []),
  ];
  return (
    <span>
      {device_id === null ? (
        t('deleted')
      ) : (
        <Link to={`/app/sites/${site.id}/devices/${device_id}`}>{name ?? device_id}</Link>
      )}{' '}
      {kind === 'sub_meter' && <span class="tag">{t('subMeter')}</span>} <span class="soft">{notes.join(', ')}</span>
    </span>
  );
}
