import { playHome, type Simulation } from '#contract/simulation.ts';
import { Card } from '../../parts/card.tsx';
import { Switch } from '../../parts/field.tsx';
import { power } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';
import { Slider } from './slider.tsx';
import { useChoices } from './use-choices.ts';

const t = texts({
  en: {
    title: 'In the home',
    extra: 'Switched on beside the usual',
    kettle: 'Kettle',
    oven: 'Oven',
    sauna: 'Sauna',
    off: 'All off',
    carHome: 'The car is plugged in',
    carOwn: 'The car comes and goes by itself',
    charge: 'The car charges with',
  },
  sv: {
    title: 'I hemmet',
    extra: 'Påslaget utöver det vanliga',
    kettle: 'Vattenkokare',
    oven: 'Ugn',
    sauna: 'Bastu',
    off: 'Allt av',
    carHome: 'Bilen är inkopplad',
    carOwn: 'Bilen kommer och går som den vill',
    charge: 'Bilen laddar med',
  },
});

const appliances = { kettle: 2000, oven: 3500, sauna: 9000 } as const;
const mostLoadW = 20_000;
const mostChargeW = 11_000;

type Change = { extra_load_w?: number; connected?: boolean | null; charge_w?: number | null };

async function play({ extra_load_w, ...car }: Change): Promise<void> {
  const body = { ...(extra_load_w !== undefined && { extra_load_w }), car };
  simulation.value = await api().call(playHome, { body });
}

export function HomeCard({ home }: { home: Simulation['home'] }) {
  const { chosen, problem, choose } = useChoices(play);
  const { car } = home;
  const extra_load_w = chosen.extra_load_w ?? home.extra_load_w;
  return (
    <Card title={t('title')}>
      <Slider
        label={t('extra')}
        value={extra_load_w}
        min={0}
        max={mostLoadW}
        step={100}
        words={power}
        onChoose={(value) => choose({ extra_load_w: value })}
      />
      <div class="actions">
        {Object.entries(appliances).map(([name, watts]) => (
          <button
            key={name}
            type="button"
            onClick={() => choose({ extra_load_w: Math.min(mostLoadW, extra_load_w + watts) })}
          >
            {t(name as keyof typeof appliances)} +{power(watts)}
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
        max={mostChargeW}
        step={100}
        words={power}
        onChoose={(charge_w) => choose({ charge_w })}
      />
      {problem !== undefined && <Failed problem={problem} />}
    </Card>
  );
}
