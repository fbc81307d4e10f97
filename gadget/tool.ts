/** The link by which the gadget is opened, where each skin has its tools. Says what it is before anything is asked. */

export interface Tool {
  setText(text: string): void;
  focus(): void;
}

export function createTool(text: string, title: string, open: () => void): Tool {
  const link =
    mw.util.addPortletLink('p-tb', '#', text, 't-sidelight', title)?.querySelector('a') ?? belowTitle(text, title);
  // some skins put the text into an element of its own
  const label = link.querySelector('span:last-child') ?? link;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    open();
  });
  return {
    setText(wanted) {
      if (label.textContent !== wanted) label.textContent = wanted;
    },
    focus() {
      // in a menu that has closed since, or is about to, as Vector 2022 and Minerva have it
      (link.closest(MENUS)?.querySelector('input') ?? link).focus();
    },
  };
}

const MENUS = '.vector-dropdown, .toggle-list';

/** Where a skin has no tools for this reader, as Minerva on a phone. */
function belowTitle(text: string, title: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = '#';
  link.id = 't-sidelight';
  link.className = 'sidelight sidelight-tool';
  link.title = title;
  link.textContent = text;
  const content = document.getElementById('mw-content-text') ?? document.body;
  content.parentElement?.insertBefore(link, content);
  return link;
}
