import { texts } from '../../parts/text.ts';
import type { Quality } from './quality.ts';

const t = texts({
  en: {
    live: 'live',
    silent: 'silent',
    away: 'gateway away',
    waiting: 'never heard',
    orphaned: 'orphaned',
  },
  sv: {
    live: 'direkt',
    silent: 'tyst',
    away: 'gateway borta',
    waiting: 'aldrig hörd',
    orphaned: 'föräldralös',
  },
});

export const qualityWords = texts({
  en: {
    live: 'What it shows is as it is now.',
    silent:
      'Its gateway is connected, and nothing comes of this device: look at its wire, and at the page of the gateway.',
    away: 'Its gateway is not connected. What it measures meanwhile waits there, and comes when it is back.',
    waiting:
      'It was added, and has not been heard yet. The gateway must read a device of this hardware id, and send it.',
    orphaned: 'Its gateway was released or went to another organization. The history stays, nothing new comes.',
  },
  sv: {
    live: 'Det den visar är som det är nu.',
    silent: 'Dess gateway är ansluten, men inget kommer från enheten: se till dess ledning och till gatewayens sida.',
    away: 'Dess gateway är inte ansluten. Det den mäter under tiden väntar där och kommer när den är tillbaka.',
    waiting:
      'Den är tillagd men har inte hörts ännu. Gatewayen måste läsa en enhet med detta hårdvaru-id och skicka det.',
    orphaned: 'Dess gateway släpptes eller gick till en annan organisation. Historiken finns kvar, inget nytt kommer.',
  },
});

const tones: Record<Quality, string> = {
  live: 'good',
  silent: 'warning',
  away: 'warning',
  waiting: '',
  orphaned: 'problem',
};

export const QualityTag = ({ quality }: { quality: Quality }) => (
  <span class={`tag ${tones[quality]}`} title={qualityWords(quality)}>
    {t(quality)}
  </span>
);
