/** gadget/ → the two pages of a MediaWiki gadget. In: the review service's origin. Out: script and style as text. */
import { readFile } from 'node:fs/promises';
import { build, stop } from 'esbuild';
import { repositoryRoot } from '../../shared/root.ts';

export interface GadgetPages {
  script: string;
  style: string;
}

/** ES2016, which MediaWiki 1.43's validator takes; a later script is replaced by a logged error. */
export async function buildGadget(service: string): Promise<GadgetPages> {
  const bundle = await build({
    entryPoints: [`${repositoryRoot()}/gadget/main.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2016',
    charset: 'utf8',
    legalComments: 'none',
    define: { SIDELIGHT_SERVICE: JSON.stringify(new URL(service).origin) },
  });
  await stop(); // esbuild's own process, which would outlive ours
  const script = bundle.outputFiles[0];
  if (script === undefined) throw new Error('esbuild gave no script');
  const styles = await Promise.all(STYLES.map((file) => readFile(`${repositoryRoot()}/gadget/${file}`, 'utf8')));
  return { script: script.text, style: styles.join('\n') };
}

const STYLES = ['colors.css', 'badge.css', 'panel.css'];
