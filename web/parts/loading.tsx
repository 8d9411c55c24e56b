import { texts } from './text.ts';

const t = texts({ en: { loading: 'Loading' }, sv: { loading: 'Hämtar' } });

/** Bars in the place of what is on its way. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div class="loading" role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}
