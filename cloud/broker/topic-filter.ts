// NUL is forbidden in MQTT; U+FFFD is what ill-formed UTF-8 was read as, and no topic of ours has it.
const unusable = /[\0\uFFFD]/;
const unusableInTopic = /[\0\uFFFD+#]/;
const mostCharacters = 65_535;

/** Whether the text is a topic filter (MQTT 3.1.1, 4.7). */
export function isFilter(text: string): boolean {
  if (text === '' || text.length > mostCharacters || unusable.test(text)) return false;
  const levels = text.split('/');
  return levels.every(
    (level, index) => level === '+' || (level === '#' && index === levels.length - 1) || !/[+#]/.test(level),
  );
}

/** Whether the text names one topic, which a message can be published to. */
export const isTopic = (text: string): boolean =>
  text !== '' && text.length <= mostCharacters && !unusableInTopic.test(text);

export const matches = (filter: string, topic: string): boolean =>
  isFilter(filter) && isTopic(topic) && covers(levelsOf(filter), levelsOf(topic));

/** Whether everything that `filter` can match is matched by `allowed` too. The broker's own `$` topics never are. */
export function includes(allowed: string, filter: string): boolean {
  const wanted = unshared(filter);
  if (!isFilter(allowed) || !isFilter(wanted) || wanted.startsWith('$')) return false;
  return covers(levelsOf(allowed), levelsOf(wanted));
}

/** The filter inside a shared subscription, `$share/<group>/<filter>`; any other filter as it is. */
export const unshared = (filter: string): string => /^\$share\/[^/+#]+\/(.*)$/s.exec(filter)?.[1] ?? filter;

/** `#` stands for its level above too, where there is one: `#` alone matches what `+/#` does, and `/#` what `/+/#` does. */
const levelsOf = (filter: string): string[] => {
  if (filter === '#') return ['+', '#'];
  return filter === '/#' ? ['', '+', '#'] : filter.split('/');
};

function covers(wide: string[], narrow: string[]): boolean {
  for (let index = 0; ; index++) {
    const any = wide[index];
    const one = narrow[index];
    if (any === '#') return true; // the level above included
    if (any === undefined || one === undefined) return any === one;
    if (one === '#') return false;
    if (any === '+' && index === 0 && one.startsWith('$')) return false;
    if (any !== '+' && any !== one) return false;
  }
}
