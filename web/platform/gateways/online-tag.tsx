import { texts } from '../../parts/text.ts';

const t = texts({
  en: { online: 'connected', offline: 'not connected' },
  sv: { online: 'ansluten', offline: 'inte ansluten' },
});

export const OnlineTag = ({ isOnline }: { isOnline: boolean }) => (
  <span class={isOnline ? 'tag good' : 'tag warning'}>{t(isOnline ? 'online' : 'offline')}</span>
);
