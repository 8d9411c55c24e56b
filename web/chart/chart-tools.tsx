import { chartWords as t } from './words.ts';

type ToolsProps = {
  /** Reads a signal, so that only these tools follow it. */
  timeOf(): string | undefined;
  isWhole: boolean;
  onZoom(factor: number): void;
  onWhole(): void;
};

/** The time that is pointed at, and buttons for what fingers and wheels do. */
export function ChartTools({ timeOf, isWhole, onZoom, onWhole }: ToolsProps) {
  return (
    <div class="chart-tools">
      <span class="says number">{timeOf() ?? t(isWhole ? 'use' : 'move')}</span>
      <span class="actions">
        {!isWhole && (
          <button type="button" class="quiet" onClick={onWhole}>
            {t('whole')}
          </button>
        )}
        <button type="button" class="quiet" aria-label={t('wider')} disabled={isWhole} onClick={() => onZoom(2)}>
          −
        </button>
        <button type="button" class="quiet" aria-label={t('closer')} onClick={() => onZoom(0.5)}>
          +
        </button>
      </span>
    </div>
  );
}
