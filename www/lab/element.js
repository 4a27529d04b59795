/**
 * A DOM element with everything in it. Attributes that are null or false are left out; so are such children.
 *
 * @example
 * element('li', { class: 'row', 'data-tone': 'ok' }, 'Attempt 1', element('b', {}, '200'))
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
