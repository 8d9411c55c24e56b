import { connectionTypes, type Parameter } from '#contract/gateway/connections.ts';
import { Card } from '../../parts/card.tsx';
import { texts } from '../../parts/text.ts';
import { type Fact, Facts } from '../facts.tsx';
import type { HeardDevice } from '../heard-devices.ts';
import { connectionWords, parameterWords, valueWords } from '../parameter-words.ts';

const t = texts({
  en: { title: 'Connection', how: 'By', file: 'Kept in' },
  sv: { title: 'Anslutning', how: 'Via', file: 'Sparad i' },
});

/** How the gateway reaches the device; keys and passwords are never told. */
export function ConnectionCard({ device }: { device: HeardDevice }) {
  const parameters: readonly Parameter[] = connectionTypes[device.type].parameters;
  const facts = parameters.flatMap(({ name }): Fact[] => {
    const value = device[name];
    const isShown = typeof value === 'string' || typeof value === 'number';
    return isShown ? [[parameterWords(name).label, valueWords(name, value)]] : [];
  });
  return (
    <Card title={t('title')}>
      <Facts of={[[t('how'), connectionWords(device.type)], ...facts, [t('file'), device.path]]} />
    </Card>
  );
}
