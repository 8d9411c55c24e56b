/** A value that a field shows and changes; a signal is one. */
export type EditableValue<Value = string> = { value: Value };

/** Makes an editable value of two functions, for a value that lives elsewhere, such as in the address of the page. */
export const boundValue = <Value>(get: () => Value, set: (value: Value) => void): EditableValue<Value> => ({
  get value() {
    return get();
  },
  set value(next) {
    set(next);
  },
});

/** Makes an editable value of one that the page shows and changes itself. */
export const editable = <Value>(value: Value, set: (value: Value) => void): EditableValue<Value> =>
  boundValue(() => value, set);

/** Makes an editable value of whether a list contains an item. */
export const included = <Item>(list: EditableValue<readonly Item[]>, item: Item): EditableValue<boolean> =>
  boundValue(
    () => list.value.includes(item),
    (isIn) => (list.value = [...list.value.filter((other) => other !== item), ...(isIn ? [item] : [])]),
  );
