import type uPlot from 'uplot';
import type { Colours } from './colours.ts';
import type { ChartProps } from './series.ts';

const insetPx = 6;
const haloPx = 4; // keeps text readable over any colour

/** Draws the zero line, the names of its sides and the markers on top of the series. */
export function drawMarks(plot: uPlot, { sides, markers = [] }: ChartProps, colours: Colours, font: string): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const scale = plot.series[1]?.scale ?? '';
  const { min = 0, max = 0 } = plot.scales[scale] ?? {};
  ctx.save();
  ctx.font = font.replace(/[\d.]+px/, (size) => `${Number.parseFloat(size) * ratio}px`);
  ctx.lineWidth = ratio;
  ctx.strokeStyle = ctx.fillStyle = colours.of('ink-soft');
  const write = (text: string, x: number, y: number): void => {
    ctx.save();
    ctx.setLineDash([]);
    ctx.lineJoin = 'round';
    ctx.lineWidth = haloPx * ratio;
    ctx.strokeStyle = colours.of('surface');
    ctx.fillStyle = colours.of('ink');
    ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
    ctx.restore();
  };

  if (min < 0 && max > 0) line(ctx, bbox.left, plot.valToPos(0, scale, true), bbox.width, 0);
  if (sides) {
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    if (max > 0) write(`↑ ${sides.up}`, bbox.left + insetPx * ratio, bbox.top + insetPx * ratio);
    ctx.textBaseline = 'bottom';
    const bottom = bbox.top + bbox.height - insetPx * ratio;
    if (min < 0) write(`↓ ${sides.down}`, bbox.left + insetPx * ratio, bottom);
  }

  ctx.textBaseline = 'top';
  ctx.setLineDash([4 * ratio, 3 * ratio]);
  for (const { atMs, label } of markers) {
    const left = plot.valToPos(atMs, 'x', true);
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    line(ctx, left, bbox.top, 0, bbox.height);
    const isAtEnd = left + ctx.measureText(label).width + insetPx * ratio > bbox.left + bbox.width;
    ctx.textAlign = isAtEnd ? 'right' : 'left';
    const inset = insetPx * ratio * (isAtEnd ? -1 : 1);
    write(label, left + inset, bbox.top + insetPx * ratio);
  }
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  ctx.beginPath();
  ctx.moveTo(Math.round(x) + 0.5, Math.round(y) + 0.5);
  ctx.lineTo(Math.round(x + width) + 0.5, Math.round(y + height) + 0.5);
  ctx.stroke();
}
