/** The manifests against Kubernetes' and KEDA's own schemas: no unknown field, no wrong type; and what every part needs is there. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../../shared/root.ts';

const ROOT = repositoryRoot();
const FOLDER = `${ROOT}/deploy/kubernetes`;

/** Where each kind is described. */
const MODULES: Record<string, string> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
};

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
type Manifest = z.infer<typeof Manifest>;
type Model = new (manifest: Manifest) => { validate(): void };

const Pod = z.looseObject({
  terminationGracePeriodSeconds: z.number().min(30),
  automountServiceAccountToken: z.literal(false),
  securityContext: z.looseObject({
    runAsNonRoot: z.literal(true),
    seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
  }),
  containers: z.array(
    z.looseObject({
      readinessProbe: z.looseObject({}),
      livenessProbe: z.looseObject({}),
      resources: z.looseObject({ limits: z.looseObject({ memory: z.string() }) }),
      securityContext: z.strictObject({
        allowPrivilegeEscalation: z.literal(false),
        readOnlyRootFilesystem: z.literal(true),
        capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
      }),
    }),
  ),
});

describe('manifests for Kubernetes', () => {
  let manifests: Manifest[];
  beforeAll(async () => {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
    const texts = await Promise.all(names.map((name) => readFile(join(FOLDER, name), 'utf8')));
    manifests = texts.flatMap((text) => parseAllDocuments(text).map((document) => Manifest.parse(document.toJS())));
  });

  test('each is what its schema says, in types and formats', () => {
    const load = createRequire(import.meta.url);
    for (const manifest of manifests) {
      // the package has a class a kind
      const Kind = load(`${MODULES[manifest.apiVersion]}/${manifest.kind}`)[manifest.kind] as Model;
      expect(() => new Kind(manifest).validate()).not.toThrow();
    }
  });

  // the schemas let unknown fields pass, as the server does; the types of the same package don't
  test('no field is misspelt', async () => {
    expect(await misspelt(manifests)).toBe('');
    const wrong = structuredClone(manifests.find(({ kind }) => kind === 'Deployment') ?? manifests[0]);
    Object.assign(wrong?.spec ?? {}, { replica: 1 });
    expect(await misspelt(wrong === undefined ? [] : [wrong])).toMatch(/replica\W+ does not exist/);
  }, 60_000);

  test('every pod may do nothing that it does not need, says how it is, and has time to stop', () => {
    const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual([
      'bot',
      'corpus',
      'redis',
      'review',
      'shard',
      'sources',
      'sparse',
      'verification',
    ]);
    const Workload = z.looseObject({ spec: z.looseObject({ template: z.looseObject({ spec: Pod }) }) });
    for (const pod of pods)
      expect({ name: pod.metadata.name, error: Workload.safeParse(pod).error }).toMatchObject({ error: undefined });
  });

  test('what is scaled, guarded or named is there', async () => {
    const Named = z.looseObject({
      spec: z.looseObject({
        scaleTargetRef: z.object({ name: z.string() }).optional(),
        selector: z.looseObject({}).optional(),
      }),
    });
    const workloads = new Set(
      manifests.filter(({ kind }) => /Deployment|StatefulSet/.test(kind)).map(({ metadata }) => metadata.name),
    );
    for (const manifest of manifests.filter(({ kind }) => kind === 'ScaledObject')) {
      expect(workloads).toContain(Named.parse(manifest).spec.scaleTargetRef?.name);
    }
    for (const { metadata } of manifests.filter(({ kind }) => kind === 'PodDisruptionBudget'))
      expect(workloads).toContain(metadata.name);
    const { resources } = z
      .looseObject({ resources: z.array(z.string()) })
      .parse(parseAllDocuments(await readFile(join(FOLDER, 'kustomization.yaml'), 'utf8'))[0]?.toJS());
    const there = (await readdir(FOLDER)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
    expect([...resources].sort()).toEqual(there.sort());
  });

  test('scaling asks for metrics that are told', async () => {
    const told = await readFile(`${ROOT}/shared/metrics.ts`, 'utf8');
    const asked = JSON.stringify(manifests.filter(({ kind }) => kind === 'ScaledObject')).match(/sidelight_\w+/g) ?? [];
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !told.includes(`  ${name}:`))).toEqual([]);
  });
});

/** What the TypeScript compiler says of manifests as literals of their types. */
async function misspelt(manifests: readonly Manifest[]): Promise<string> {
  await mkdir(`${ROOT}/.sidelight`, { recursive: true });
  const folder = await mkdtemp(`${ROOT}/.sidelight/manifests-`); // below node_modules, as modules are found
  const typed = manifests.map(
    (manifest, at) =>
      `import type { I${manifest.kind} as K${at} } from '${MODULES[manifest.apiVersion]}/${manifest.kind}';\n` +
      `export const m${at}: K${at} = ${JSON.stringify(manifest, null, 1)};\n`,
  );
  await writeFile(join(folder, 'manifests.ts'), typed.join(''));
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--types',
    '',
    '--ignoreConfig',
  ];
  return new Promise((resolve) => {
    execFile(`${ROOT}/node_modules/.bin/tsc`, [...options, join(folder, 'manifests.ts')], async (_, stdout, stderr) => {
      await rm(folder, { recursive: true });
      resolve(stdout + stderr);
    });
  });
}
