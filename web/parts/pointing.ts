type Place = { currentTarget: Element; clientX: number; clientY: number };

/** How far across and down a drawing somebody points, each from 0 to 1. */
function placeIn({ currentTarget, clientX, clientY }: Place): [across: number, down: number] {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return [(clientX - left) / width, (clientY - top) / height];
}

type Ways = { point(across: number, down: number): void; keys: Readonly<Record<string, () => void>> };

/** The attributes of a drawing in which a place is chosen by finger, pointer or key. */
export const pointing = ({ point, keys }: Ways) => ({
  onPointerDown: (event: Place): void => point(...placeIn(event)),
  onPointerMove: (event: Place & { buttons: number }): void => {
    if (event.buttons === 1) point(...placeIn(event));
  },
  onKeyDown: (event: KeyboardEvent): void => {
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  },
});
