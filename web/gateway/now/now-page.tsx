import { getStatus } from '#contract/gateway/status.ts';
import { FlowCard } from '../../flow/flow-card.tsx';
import { flowsFrom } from '../../flow/flows.ts';
import { Loaded } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { useDevices } from '../heard-devices.ts';
import { measuredBy } from '../house-flows.ts';
import { NoDevices } from '../no-devices.tsx';
import { usePoll } from '../poll.ts';
import { DevicesBrief, HeldBrief, UplinkBrief } from './briefs.tsx';

const t = texts({ en: { title: 'Now' }, sv: { title: 'Nu' } });

export default function NowPage() {
  const devices = useDevices();
  const status = usePoll((signal) => gateway.call(getStatus, { signal }));
  return (
    <>
      <PageHead title={t('title')} />
      <Loaded from={devices}>
        {(all) =>
          all.length === 0 ? (
            <NoDevices />
          ) : (
            <>
              {status.value && <HeldBrief control={status.value.control} />}
              <FlowCard flows={flowsFrom(measuredBy(all), now.value)} />
              <div class="cards">
                <DevicesBrief devices={all} />
                {status.value && <UplinkBrief uplink={status.value.uplink} />}
              </div>
            </>
          )
        }
      </Loaded>
    </>
  );
}
