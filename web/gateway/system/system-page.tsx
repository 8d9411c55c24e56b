import { getSystem } from '#contract/gateway/system.ts';
import { Appearance } from '../../parts/appearance.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { LogStreamCard } from './log-stream-card.tsx';
import { MachineCard } from './machine-card.tsx';
import { ResetCard } from './reset-card.tsx';

const t = texts({
  title: ['System', 'System'],
  look: ['Appearance', 'Utseende'],
  more: ['For developers', 'För utvecklare'],
  moreSays: ['Everything on these pages uses the local API.', 'Allt på de här sidorna använder det lokala API:et.'],
  docs: ['Try the API', 'Prova API:et'],
  redoc: ['API reference', 'API-referens'],
  metrics: ['Prometheus metrics', 'Mätetal för Prometheus'],
});

const everyMs = 3000;

export default function SystemPage() {
  const system = usePoll((signal) => gateway.call(getSystem, { signal }), [], everyMs);
  return (
    <>
      <PageHead title={t('title')} />
      {/* All at once: what comes later would push a button away under a finger. */}
      <Loaded from={system}>
        {(state) => (
          <div class="cards">
            <MachineCard system={state} />
            <Card title={t('look')}>
              <Appearance />
            </Card>
            <ResetCard serial={state.gateway_info.deviceId} />
            <LogStreamCard logging={state.logging} />
            <Card title={t('more')} says={t('moreSays')}>
              <div class="actions">
                <a href="/docs">{t('docs')}</a>
                <a href="/redoc">{t('redoc')}</a>
                <a href="/metrics">{t('metrics')}</a>
              </div>
            </Card>
          </div>
        )}
      </Loaded>
    </>
  );
}
