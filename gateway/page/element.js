/** A DOM element with its text, class and children. */
export function element(name, { text, className, ...attributes } = {}, children = []) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  Object.assign(made, attributes);
  made.append(...children);
  return made;
}

export const row = (label, value, className) =>
  element('tr', { className }, [element('th', { text: label }), element('td', { text: value })]);
