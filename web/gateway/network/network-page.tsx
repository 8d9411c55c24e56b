import { getNetwork } from '#contract/gateway/network.ts';
import { Loaded } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { PortCard } from './port-card.tsx';
import { StateCard } from './state-card.tsx';
import { WifiCard } from './wifi-card.tsx';
import './network.css';

const t = texts({ en: { title: 'Network' }, sv: { title: 'Nätverk' } });

const everyMs = 3000;

export default function NetworkPage() {
  const network = usePoll((signal) => gateway.call(getNetwork, { signal }), [], everyMs);
  return (
    <>
      <PageHead title={t('title')} />
      <Loaded from={network}>
        {(state) => (
          <div class="cards">
            <StateCard network={state} />
            <WifiCard network={state} />
            <PortCard />
          </div>
        )}
      </Loaded>
    </>
  );
}
