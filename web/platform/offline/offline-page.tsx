import { FlowCard } from '../../flow/flow-card.tsx';
import { PageHead } from '../../parts/layout.tsx';
import { lastValues } from '../last-values.ts';
import { flowsOf } from '../now/flows.ts';

/** Shows the last values of the site that was open, with their age. */
export default function OfflinePage() {
  if (!lastValues.value) return null;
  const { site, readings, atMs } = lastValues.value;
  const latest = new Map(readings.map((reading) => [reading.der_id, reading]));
  return (
    <>
      <PageHead title={site.name} />
      <FlowCard flows={flowsOf(site.devices, latest, atMs)} />
    </>
  );
}
