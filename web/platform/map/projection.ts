/** Web Mercator: the world is a square from 0 to 1, north at the top. */
export type WorldPoint = { x: number; y: number };

const maxLatitude = 85; // the projection diverges towards the poles

export function project(latitude: number, longitude: number): WorldPoint {
  const angle = (Math.max(-maxLatitude, Math.min(maxLatitude, latitude)) * Math.PI) / 180;
  return { x: (longitude + 180) / 360, y: (1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2 };
}

/** Visible part: the centre, and the width of the whole world in pixels. */
export type MapView = { x: number; y: number; size: number };

export const minSize = 300;
export const maxSize = 4_000_000; // one cell fills a phone

export const toScreen = ({ x, y }: WorldPoint, view: MapView, width: number, height: number): WorldPoint => ({
  x: (x - view.x) * view.size + width / 2,
  y: (y - view.y) * view.size + height / 2,
});

export const pan = (view: MapView, dx: number, dy: number): MapView => ({
  ...view,
  x: inside(view.x - dx / view.size),
  y: inside(view.y - dy / view.size),
});

/** Zooms around a fixed screen position, given as an offset from the centre. */
export function zoom(view: MapView, factor: number, dx = 0, dy = 0): MapView {
  const size = Math.max(minSize, Math.min(maxSize, view.size * factor));
  const moved = 1 / view.size - 1 / size;
  return { x: inside(view.x + dx * moved), y: inside(view.y + dy * moved), size };
}

/** Returns a view that shows all points with a margin. */
export function fitView(places: readonly WorldPoint[], width: number, height: number): MapView {
  if (places.length === 0) return { ...project(58, 14), size: 2400 };
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = 2.6;
  const least = 0.0012; // of the world: about a town
  const size = Math.min(
    width / Math.max((east - west) * room, least),
    height / Math.max((south - north) * room, least),
  );
  return { x: (west + east) / 2, y: (north + south) / 2, size: Math.max(minSize, Math.min(maxSize, size)) };
}

const inside = (value: number): number => Math.max(0, Math.min(1, value));
