import { playHome, type Simulation } from '#contract/simulation.ts';
import { Card } from '../../parts/card.tsx';
import { Switch } from '../../parts/field.tsx';
import { power } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';
import { Slider } from './slider.tsx';
import { useSimulationChange } from './use-simulation-change.ts';

const t = texts({
  title: ['Home', 'Hem'],
  extra: ['Additional load', 'Extra förbrukning'],
  kettle: ['Kettle', 'Vattenkokare'],
  oven: ['Oven', 'Ugn'],
  sauna: ['Sauna', 'Bastu'],
  off: ['Turn all off', 'Stäng av allt'],
  carHome: ['Car plugged in', 'Bilen är ansluten'],
  carOwn: ['Car follows its schedule', 'Bilen följer sitt schema'],
  charge: ['Car charging power', 'Bilens laddeffekt'],
});

const appliances = [
  { name: 'kettle', watts: 2000 },
  { name: 'oven', watts: 3500 },
  { name: 'sauna', watts: 9000 },
] as const;
const maxLoadW = 20_000;
const maxChargeW = 11_000;

type Change = { extra_load_w?: number; connected?: boolean | null; charge_w?: number | null };

async function sendChange({ extra_load_w, ...car }: Change): Promise<void> {
  const body = { ...(extra_load_w !== undefined && { extra_load_w }), car };
  simulation.value = await api().call(playHome, { body });
}

export function HomeCard({ home }: { home: Simulation['home'] }) {
  const { chosen, problem, choose } = useSimulationChange(sendChange);
  const { car } = home;
  const extra_load_w = chosen.extra_load_w ?? home.extra_load_w;
  return (
    <Card title={t('title')}>
      <Slider
        label={t('extra')}
        value={extra_load_w}
        min={0}
        max={maxLoadW}
        step={100}
        words={power}
        onChoose={(value) => choose({ extra_load_w: value })}
      />
      <div class="actions">
        {appliances.map(({ name, watts }) => (
          <button
            key={name}
            type="button"
            onClick={() => choose({ extra_load_w: Math.min(maxLoadW, extra_load_w + watts) })}
          >
            {t(name)} +{power(watts)}
          </button>
        ))}
        <button type="button" onClick={() => choose({ extra_load_w: 0 })}>
          {t('off')}
        </button>
      </div>
      <div class="actions">
        <Switch label={t('carHome')} isOn={car.connected} onChange={(connected) => choose({ connected })} />
        <Switch
          label={t('carOwn')}
          isOn={!car.connected_played}
          onChange={(isOn) => choose({ connected: isOn ? null : car.connected })}
        />
      </div>
      <Slider
        label={t('charge')}
        value={chosen.charge_w ?? car.charge_w ?? 0}
        min={0}
        max={maxChargeW}
        step={100}
        words={power}
        onChoose={(charge_w) => choose({ charge_w })}
      />
      <Failed problem={problem} />
    </Card>
  );
}
