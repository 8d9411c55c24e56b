// NUL is forbidden in MQTT; U+FFFD replaces ill-formed UTF-8, and our topics do not contain it.
const unusable = /[\0\uFFFD]/;
const unusableInTopic = /[\0\uFFFD+#]/;
const maxCharacters = 65_535;

/** Returns whether the text is a topic filter (MQTT 3.1.1, 4.7). */
export function isFilter(text: string): boolean {
  if (text === '' || text.length > maxCharacters || unusable.test(text)) return false;
  const levels = text.split('/');
  return levels.every(
    (level, index) => level === '+' || (level === '#' && index === levels.length - 1) || !/[+#]/.test(level),
  );
}

export const isTopic = (text: string): boolean =>
  text !== '' && text.length <= maxCharacters && !unusableInTopic.test(text);

export const matches = (filter: string, topic: string): boolean =>
  isFilter(filter) && isTopic(topic) && covers(levelsOf(filter), levelsOf(topic));

/** Returns whether `allowed` matches everything that `filter` matches. Never true for the broker's `$` topics. */
export function includes(allowed: string, filter: string): boolean {
  const wanted = unshared(filter);
  if (!isFilter(allowed) || !isFilter(wanted) || wanted.startsWith('$')) return false;
  return covers(levelsOf(allowed), levelsOf(wanted));
}

/** Returns the filter of a shared subscription, `$share/<group>/<filter>`; other filters are unchanged. */
export const unshared = (filter: string): string => /^\$share\/[^/+#]+\/(.*)$/s.exec(filter)?.[1] ?? filter;

/** Splits a filter. `#` includes its parent level if there is one: `#` equals `+/#`, and `/#` equals `/+/#`. */
export const levelsOf = (filter: string): string[] => {
  if (filter === '#') return ['+', '#'];
  return filter === '/#' ? ['', '+', '#'] : filter.split('/');
};

/** Returns whether the levels of a filter match those of a topic, or all that those of another filter match. */
export function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  for (let index = 0; ; index++) {
    const any = wide[index];
    const one = narrow[index];
    if (any === '#') return true; // includes the parent level
    if (any === undefined || one === undefined) return any === one;
    if (one === '#') return false;
    if (any === '+' && index === 0 && one.startsWith('$')) return false;
    if (any !== '+' && any !== one) return false;
  }
}
