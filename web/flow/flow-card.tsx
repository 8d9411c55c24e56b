import { Age } from '../parts/age.tsx';
import { Card } from '../parts/card.tsx';
import { texts } from '../parts/text.ts';
import { FlowBar } from './flow-bar.tsx';
import type { Flows } from './flows.ts';
import { HouseDiagram } from './house-diagram.tsx';
import './flow.css';

const t = texts({ en: { flow: 'What flows now' }, sv: { flow: 'Det som flödar nu' } });

/** The powers of a house as a bar and as a picture. */
export function FlowCard({ flows }: { flows: Flows }) {
  return (
    <Card title={t('flow')} beside={<Age ms={flows.atMs} />}>
      <FlowBar flows={flows} />
      <HouseDiagram flows={flows} />
    </Card>
  );
}
