/** Wikitext → HTML by a wiki's own Parsoid, as the fixtures and the articles of the hand-checked list are made. */

/** `wiki`: origin with script path, such as `http://127.0.0.1:8143/w`. Without `data-parsoid`, as Wikimedia's wikis serve it. */
export async function renderWikitext(wiki: string, title: string, wikitext: string): Promise<string> {
  const response = await fetch(`${wiki}/rest.php/v1/transform/wikitext/to/html/${encodeURIComponent(title)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ wikitext }),
  });
  if (!response.ok) throw new Error(`${title}: HTTP ${response.status}`);
  return (await response.text()).replace(/ data-parsoid=(?:"[^"]*"|'[^']*')/g, '');
}
