import { texts } from '../../parts/text.ts';

const t = texts({
  en: { online: 'Online', offline: 'Offline' },
  sv: { online: 'Ansluten', offline: 'Inte ansluten' },
});

export const OnlineTag = ({ isOnline }: { isOnline: boolean }) => (
  <span class={isOnline ? 'tag good' : 'tag warning'}>{t(isOnline ? 'online' : 'offline')}</span>
);
