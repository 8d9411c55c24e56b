/** Whether any two neighbours of these rows are nearer to each other than that. */
export function isCrowded(x: ArrayLike<number>, from: number, to: number, apartMs: number): boolean {
  for (let row = from + 1; row <= to; row++) {
    if (x[row]! - x[row - 1]! < apartMs) return true;
  }
  return false;
}
