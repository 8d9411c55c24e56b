type PointerPosition = { currentTarget: Element; clientX: number; clientY: number };

/** Returns the pointer position within an element, each from 0 to 1. */
function positionIn({ currentTarget, clientX, clientY }: PointerPosition): [across: number, down: number] {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return [(clientX - left) / width, (clientY - top) / height];
}

type Keys = Readonly<Record<string, () => void>>;

/** Handles these keys and leaves others to the browser. */
export const onKeys = (keys: Keys) => (event: KeyboardEvent) => {
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
};

/** Returns the props of a drawing in which a position is chosen by touch, pointer or key. */
export const pointProps = ({ point, keys }: { point(across: number, down: number): void; keys: Keys }) => ({
  onPointerDown: (event: PointerPosition): void => point(...positionIn(event)),
  onPointerMove: (event: PointerPosition & { buttons: number }): void => {
    if (event.buttons === 1) point(...positionIn(event));
  },
  onKeyDown: onKeys(keys),
});
