import type { RequestOf } from '#contract/route.ts';
import { playWeather, type Simulation } from '#contract/simulation.ts';
import { editable } from '../../parts/bound-value.ts';
import { Switch } from '../../parts/field.tsx';
import { Card, Failed } from '../../parts/layout.tsx';
import { number, percent, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { Slider, useSimulationChange } from './controls.tsx';

const t = texts({
  title: 'Weather',
  clouds: 'Cloud cover',
  hour: 'Time of day',
  ownHour: 'Follow the clock',
  ownClouds: 'Natural weather',
  gives: 'Panels produce {percent} of their maximum; the sun is at {degrees}°.',
  night: 'The sun is down; the panels produce nothing.',
});

const width = 320;
const horizon = 96;

/** Draws the sun from east (left) to west (right), behind the clouds. */
function Sky({ elevation, hour, clouds }: { elevation: number; hour: number; clouds: number }) {
  const isDay = elevation > 0;
  const x = ((hour - 4) / 16) * width;
  const y = horizon - Math.max(-20, Math.min(60, elevation)) * 1.35;
  const puffs = [40, 100, 160, 220, 280].slice(0, Math.round(clouds * 5));
  return (
    <svg class={isDay ? 'sky day' : 'sky night'} viewBox={`0 0 ${width} 120`} aria-hidden="true">
      <rect width={width} height="120" rx="12" class="air" style={{ opacity: 1 - clouds * 0.35 }} />
      <circle class="sun-disc" cx={x} cy={y} r="15" />
      {puffs.map((at, i) => (
        <g key={at} class="cloud" transform={`translate(${at - 26} ${24 + (i % 2) * 18})`}>
          <ellipse cx="26" cy="16" rx="26" ry="10" />
          <circle cx="20" cy="10" r="10" />
          <circle cx="34" cy="11" r="8" />
        </g>
      ))}
      <path
        class="ground"
        d={`M0 ${horizon} h ${width} v 12 a 12 12 0 0 1 -12 12 h ${24 - width} a 12 12 0 0 1 -12 -12 z`}
      />
      <path
        class="roofs"
        d="M40 96 v-12 l12 -9 l12 9 v12 z M92 96 v-15 l14 -10 l14 10 v15 z M150 96 v-11 l11 -8 l11 8 v11 z M206 96 v-16 l15 -11 l15 11 v16 z M262 96 v-12 l12 -9 l12 9 v12 z"
      />
    </svg>
  );
}

export function WeatherCard({ weather }: { weather: Simulation['weather'] }) {
  const { chosen, problem, choose } = useSimulationChange((body: RequestOf<typeof playWeather>['body']) =>
    api().call(playWeather, { body }),
  );
  const { sun_elevation_deg, sunshine_fract } = weather;
  const clouds = editable(chosen.clouds ?? weather.clouds, (value) => choose({ clouds: value }));
  const hour = editable(chosen.sun_hour ?? weather.sun_hour, (sun_hour) => choose({ sun_hour }));
  const isNatural = editable(!weather.clouds_played, (isOn) => choose({ clouds: isOn ? null : clouds.value }));
  const followsClock = editable(!weather.sun_hour_played, (isOn) => choose({ sun_hour: isOn ? null : hour.value }));
  return (
    <Card title={t('title')}>
      <Sky elevation={sun_elevation_deg} hour={hour.value} clouds={clouds.value} />
      <p class="says">
        {sun_elevation_deg <= 0
          ? t('night')
          : t('gives', { percent: percent(sunshine_fract), degrees: number(sun_elevation_deg) })}
      </p>
      <Slider label={t('clouds')} value={clouds} max={1} step={0.05} words={percent} />
      <Slider label={t('hour')} value={hour} max={24} step={0.25} words={clock} />
      <div class="actions">
        <Switch label={t('ownClouds')} value={isNatural} />
        <Switch label={t('ownHour')} value={followsClock} />
      </div>
      <Failed problem={problem} />
    </Card>
  );
}

const clock = (hours: number): string =>
  `${Math.floor(hours)}:${String(Math.floor((hours % 1) * 60)).padStart(2, '0')}`;
