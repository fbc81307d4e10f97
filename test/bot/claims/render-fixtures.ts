/**
 * Renders the fixtures anew, by hand: `npm run build && node .build/test/bot/claims/render-fixtures.js WIKI`, where WIKI is the
 * script path of a wiki that anybody may edit (`http://127.0.0.1:8143/w`). Writes input.html beside each input.wikitext.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { renderWikitext } from './parsoid.ts';

const FIXTURES = pathToFileURL('test/fixtures/claims/');
const wiki = process.argv[2] ?? 'http://127.0.0.1:8143/w';

for (const file of await readdir(new URL('templates/', FIXTURES))) {
  await saveTemplate(file.replace('.wikitext', ''), await readFile(new URL(`templates/${file}`, FIXTURES), 'utf8'));
}
for (const name of await readdir(FIXTURES)) {
  if (name === 'templates') continue;
  const wikitext = await readFile(new URL(`${name}/input.wikitext`, FIXTURES), 'utf8');
  await writeFile(new URL(`${name}/input.html`, FIXTURES), await renderWikitext(wiki, 'Orrin Bay', wikitext));
}

async function saveTemplate(name: string, text: string): Promise<void> {
  const form = { action: 'edit', title: `Template:${name}`, text, token: '+\\', format: 'json' };
  const response = await fetch(`${wiki}/api.php`, { method: 'POST', body: new URLSearchParams(form) });
  const answer = await response.text();
  if (!answer.includes('"Success"')) throw new Error(answer);
}
