/** gadget/ → the pages of a MediaWiki gadget. In: the review service's origin. Out: script, style and other languages as text. */
import { readdir, readFile } from 'node:fs/promises';
import { build, stop } from 'esbuild';
import { KEYS, type TextList, type Texts } from '../../gadget/messages.ts';
import { RequestError } from '../../shared/errors.ts';
import { hashText } from '../../shared/hash.ts';
import { repositoryRoot } from '../../shared/root.ts';
import { parseUrl } from '../../shared/url.ts';

export interface GadgetPages {
  script: string;
  style: string;
  /** By language: a script that gives its texts. */
  languages: Readonly<Record<string, string>>;
}

/**
 * ES2016, which MediaWiki 1.43's validator takes; a later script is replaced by a logged error. Throws RequestError for a service
 * that others could listen to.
 */
export async function buildGadget(service: string): Promise<GadgetPages> {
  const bundle = await build({
    entryPoints: [`${repositoryRoot()}/gadget/main.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2016',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    define: {
      SIDELIGHT_SERVICE: JSON.stringify(originOf(service)),
      SIDELIGHT_TEXTS: JSON.stringify(hashText(KEYS.join(' '))),
    },
  });
  await stop(); // esbuild's own process, which would outlive ours
  const script = bundle.outputFiles[0];
  if (script === undefined) throw new Error('esbuild gave no script');
  const styles = await Promise.all(STYLES.map((file) => readFile(`${repositoryRoot()}/gadget/${file}`, 'utf8')));
  return { script: script.text, style: styles.join('\n'), languages: await readLanguages() };
}

/** What readers send there is nobody else's business: https, or this machine itself. */
function originOf(service: string): string {
  const url = parseUrl(service);
  const isOwn = url?.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (url === null || !(url.protocol === 'https:' || isOwn)) {
    throw new RequestError('insecure_service', `${service}: the gadget asks a service by https, or on loopback`);
  }
  return url.origin;
}

/** All but English, which the script has. Without their keys, which are as long as some texts: those are the script's own. */
async function readLanguages(): Promise<Record<string, string>> {
  const folder = `${repositoryRoot()}/gadget/i18n`;
  const files = (await readdir(folder)).filter((file) => file !== 'en.json').sort();
  const texts = files.map(async (file) => {
    const known = JSON.parse(await readFile(`${folder}/${file}`, 'utf8')) as Texts; // as its test sees to
    const list: TextList = { of: hashText(KEYS.join(' ')), texts: KEYS.map((key) => known[key] ?? '') };
    return [file.replace(/\.json$/, ''), `module.exports = ${JSON.stringify(list, null, '\t')};`] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;
const STYLES = ['colors.css', 'badge.css', 'panel.css'];
