/** A value that a field shows and changes; a signal is one. */
export type EditableValue<Value = string> = { value: Value };

/** Makes an editable value of two functions, for a value that lives elsewhere, such as in the address of the page. */
export const boundValue = (get: () => string, set: (value: string) => void): EditableValue => ({
  get value() {
    return get();
  },
  set value(next) {
    set(next);
  },
});
