/** Elements from text. All text is set as text, and only addresses on the web become links. */

export function element(name: string, className: string, children: readonly Node[]): HTMLElement {
  const created = document.createElement(name);
  if (className !== '') created.className = className;
  children.forEach((child) => {
    created.appendChild(child);
  });
  return created;
}

/** In the direction it is written in: ours and that of articles and sources may differ from the wiki's. */
export function text(name: string, content: string, className = ''): HTMLElement {
  const created = element(name, className, [document.createTextNode(content)]);
  created.dir = 'auto';
  return created;
}

/** `key`: by which it is found again when the panel is drawn anew. */
export function button(label: string, className: string, key: string, onClick: () => void): HTMLButtonElement {
  const created = document.createElement('button');
  created.type = 'button';
  created.className = className;
  created.textContent = label;
  created.setAttribute('data-sidelight', key);
  created.addEventListener('click', onClick);
  return created;
}

/** Whatever else a source's address may be is shown, not linked. */
export function link(url: string, label: string): HTMLElement {
  if (!/^https?:\/\//i.test(url)) return text('span', label);
  const created = document.createElement('a');
  created.href = url;
  created.rel = 'noopener noreferrer nofollow';
  created.target = '_blank';
  created.dir = 'auto';
  created.textContent = label;
  return created;
}
