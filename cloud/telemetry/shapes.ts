import { type Shape, shapeOf } from './shape.ts';

const maxShapeFields = 200_000; // of all shapes; a field takes a few hundred bytes
const mostDers = 500_000;

/** The shape that the last reading of each DER had. Most devices say the same fields every time. */
export type Shapes = {
  of(der: number): Shape | undefined;
  learn(der: number, names: readonly string[]): void;
};

export function createShapes(): Shapes {
  const byNames = new Map<string, Shape | undefined>(); // one for all devices that speak alike
  const byDer = new Map<number, Shape | undefined>();
  let shapeFields = 0;

  function known(names: readonly string[]): Shape | undefined {
    const key = names.join();
    if (!byNames.has(key)) {
      shapeFields += names.length;
      if (shapeFields > maxShapeFields) {
        byNames.clear();
        shapeFields = names.length;
      }
      byNames.set(key, shapeOf(names));
    }
    return byNames.get(key);
  }

  return {
    of: (der) => byDer.get(der),
    learn(der, names) {
      if (byDer.size >= mostDers) byDer.clear();
      byDer.set(der, known(names));
    },
  };
}
