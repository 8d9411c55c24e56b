import { playHome, type Simulation } from '#contract/simulation.ts';
import { useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Switch } from '../../parts/field.tsx';
import { power } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from './played.ts';
import { Slider } from './slider.tsx';

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

type Change = { extra_load_w?: number; car?: { connected?: boolean | null; charge_w?: number | null } };

export function HomeCard({ home }: { home: Simulation['home'] }) {
  let next: Change = {};
  const play = useAction(async () => {
    simulation.value = await api().call(playHome, { body: next });
  });
  const choose = (change: Change): void => {
    next = change;
    void play.run();
  };
  const { extra_load_w, car } = home;
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
        <Switch label={t('carHome')} isOn={car.connected} onChange={(connected) => choose({ car: { connected } })} />
        <Switch
          label={t('carOwn')}
          isOn={!car.connected_played}
          onChange={(isOn) => choose({ car: { connected: isOn ? null : car.connected } })}
        />
      </div>
      <Slider
        label={t('charge')}
        value={car.charge_w ?? 0}
        min={0}
        max={mostChargeW}
        step={100}
        words={power}
        onChoose={(charge_w) => choose({ car: { charge_w } })}
      />
      {play.problem !== undefined && <Failed problem={play.problem} />}
    </Card>
  );
}
