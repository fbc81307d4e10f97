import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTitles } from '../../../bot/worklists/titles.ts';

describe('a file of titles', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-titles-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function titlesOf(content: string | Uint8Array): Promise<string[]> {
    const path = join(folder, 'titles.txt');
    await writeFile(path, content);
    return readTitles(path);
  }

  test('may begin with a byte order mark, and end its lines in any way', async () => {
    expect(await titlesOf('\uFEFFOrrin Mill\r\n\r\n  Lower_Mill\t\rOld Mill\n\n')).toEqual([
      'Orrin Mill',
      'Lower Mill',
      'Old Mill',
    ]);
  });

  test('gives each title once, in its order, whatever form of Unicode it has', async () => {
    const composed = 'Café Mill';
    expect(await titlesOf(`${composed}\nZ\n${composed.normalize('NFD')}\nZ`)).toEqual([composed, 'Z']);
  });

  test('may have links as they stand on a page of the wiki', async () => {
    expect(await titlesOf('* [[Orrin Mill]]\n# [[:Lower Mill|the lower one]]\n*Star mill\n[[A]] and [[B]]')).toEqual([
      'Orrin Mill',
      'Lower Mill',
      '*Star mill',
      '[[A]] and [[B]]',
    ]);
  });

  test('is refused where it is none', async () => {
    await expect(titlesOf('\uFEFF\r\n \n')).rejects.toMatchObject({ code: 'no_titles' });
    await expect(titlesOf(Buffer.from('Café', 'latin1'))).rejects.toMatchObject({ code: 'not_utf8' });
    await expect(readTitles(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'no_file' });
    await expect(readTitles(folder)).rejects.toMatchObject({ code: 'no_file' });
  });
});
