/** Mercator: the world is a square from 0 to 1, north at the top. */
export type World = { x: number; y: number };

const mostLatitude = 85; // beyond it the square would have no end

export function project(latitude: number, longitude: number): World {
  const angle = (Math.max(-mostLatitude, Math.min(mostLatitude, latitude)) * Math.PI) / 180;
  return { x: (longitude + 180) / 360, y: (1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2 };
}

/** What of the world is seen: its middle, and how many pixels the whole world would be wide. */
export type View = { x: number; y: number; size: number };

export const leastSize = 300;
export const mostSize = 4_000_000; // a cell then fills a phone

export const toScreen = ({ x, y }: World, view: View, width: number, height: number): World => ({
  x: (x - view.x) * view.size + width / 2,
  y: (y - view.y) * view.size + height / 2,
});

export const panned = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: inside(view.x - dx / view.size),
  y: inside(view.y - dy / view.size),
});

/** Nearer by `factor`, around a place on the screen that stays where it is, counted from the middle. */
export function zoomed(view: View, factor: number, dx = 0, dy = 0): View {
  const size = Math.max(leastSize, Math.min(mostSize, view.size * factor));
  const moved = 1 / view.size - 1 / size;
  return { x: inside(view.x + dx * moved), y: inside(view.y + dy * moved), size };
}

/** All of these places, with some room around. */
export function fitted(places: readonly World[], width: number, height: number): View {
  if (places.length === 0) return { ...project(58, 14), size: 2400 };
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = 2.6;
  const least = 0.0012; // of the world: a town and what is around it
  const size = Math.min(
    width / Math.max((east - west) * room, least),
    height / Math.max((south - north) * room, least),
  );
  return { x: (west + east) / 2, y: (north + south) / 2, size: Math.max(leastSize, Math.min(mostSize, size)) };
}

const inside = (value: number): number => Math.max(0, Math.min(1, value));
