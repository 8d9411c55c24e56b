import { queryOf } from '#contract/client/request.ts';
import { createSender } from '#contract/client/send.ts';
import { getDerTelemetry, getSiteTelemetry, type Resolution } from '#contract/cloud/telemetry.ts';
import { dayMs } from '#contract/time.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { download } from '../../parts/download.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { TimeRange } from './energy.ts';
import { csvName } from './range.ts';

const t = texts({
  en: {
    raw: 'Download CSV (all readings)',
    '1m': 'Download CSV (per minute)',
    '1h': 'Download CSV (per hour)',
  },
  sv: {
    raw: 'Ladda ner CSV (alla avläsningar)',
    '1m': 'Ladda ner CSV (per minut)',
    '1h': 'Ladda ner CSV (per timme)',
  },
});

/** Returns the finest resolution that a browser can hold in memory. */
function finestFor({ from, to }: TimeRange, isDer: boolean): 'raw' | '1m' | '1h' {
  if (isDer && to - from <= 2 * dayMs) return 'raw';
  return to - from <= 92 * dayMs ? '1m' : '1h';
}

type CsvProps = { siteId: string; derId?: string | undefined; span: TimeRange; timeZone: string | undefined };

/** Downloads the range as CSV. A plain link would not send the token. */
export function FullCsv({ siteId, derId, span, timeZone }: CsvProps) {
  const resolution = finestFor(span, derId !== undefined) satisfies Resolution;
  const save = useAction(async () => {
    const platform = api();
    const ask = createSender({ baseUrl: platform.url, token: (refused) => platform.token(refused) });
    const [from, to] = [span.from, span.to].map((ms) => new Date(ms).toISOString());
    const query = queryOf({ from, to, resolution, format: 'csv' });
    const headers = { accept: 'text/csv' };
    const answer = derId
      ? await ask(getDerTelemetry, { params: { der_id: derId }, headers }, query)
      : await ask(getSiteTelemetry, { params: { site_id: siteId }, headers }, query);
    download(csvName(derId ?? siteId, span, timeZone), await answer.text(), 'text/csv');
  });
  return (
    <>
      <ActionButton does={save} tone="plain">
        {t(resolution)}
      </ActionButton>
      {save.problem !== undefined && <Failed problem={save.problem} />}
    </>
  );
}
