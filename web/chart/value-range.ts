type Kind = 'line' | 'area' | 'step' | 'bars';

const room = 0.08; // above the highest value, so that its line is seen

/** From where to where an axis goes. Filled shapes begin at zero, so zero is on their axis; a share is of a whole. */
export function valueRange(
  least: number | null,
  most: number | null,
  unit: string,
  kinds: readonly Kind[],
): [number, number] {
  if (unit === '%') return [0, 1];
  if (least === null || most === null) return [0, 1];
  const isFilled = kinds.some((kind) => kind === 'area' || kind === 'bars');
  const isPower = unit === 'W' || unit === 'Wh';
  const low = isFilled || isPower ? Math.min(0, least) : least;
  const high = isFilled || isPower ? Math.max(0, most) : most;
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) * room, high + Math.abs(high) * room];
  const pad = (high - low) * room;
  return [low === 0 ? 0 : low - pad, high === 0 ? 0 : high + pad];
}
