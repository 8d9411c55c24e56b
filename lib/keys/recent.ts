const most = 1024;

/** Remembers by text what costs much to make, for the texts that were used most recently. */
export function recent<Value>(): (text: string, make: () => Value) => Value {
  const known = new Map<string, Value>(); // in order of use, the least recent first
  return (text, make) => {
    const value = known.get(text) ?? make();
    known.delete(text);
    known.set(text, value);
    if (known.size > most) known.delete(known.keys().next().value!);
    return value;
  };
}
