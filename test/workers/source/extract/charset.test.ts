import { decodePage } from '../../../../workers/source/extract/charset.ts';

/** A sentence, and its bytes in that encoding (base64). */
const SENTENCES: Record<string, readonly [string, string]> = {
  'windows-1251': [
    'Портовый совет проголосовал за закрытие старого причала для паромов со следующей весны.',
    'z+7w8u7i++kg8e7i5fIg7/Du4+7r7vHu4uDrIOfgIOfg6vD78ujlIPHy4PDu4+4g7/Do9+Dr4CDk6/8g7+Dw7uzu4iDx7iDx6+Xk8/755ekg4uXx7fsu',
  ],
  shift_jis: [
    '港湾委員会は火曜日、老朽化した北埠頭を来春からフェリーに対して閉鎖することを決めた。',
    'jWCYcIjPiPWJ74LNic6XapP6gUGYVouAibuCtYK9lmuVdZOqgvCXiI90gqmC54N0g0aDioFbgsmRzoK1gsSVwo29greC6YKxgsaC8IyIgt+CvYFC',
  ],
  'iso-2022-jp': ['港湾委員会は北埠頭を閉鎖する。', 'GyRCOUFPUTBRMHcycSRPS0xJVkYsJHJKRDo/JDkkayEjGyhC'],
  gb18030: [
    '港务委员会星期二投票决定关闭旧北码头，不再供渡轮使用。',
    'uNvO8c6v1LG74dDHxtq2/s22xrG+9raoudix1b7JsbHC6823o6yyu9TZuam2ycLWyrnTw6Gj',
  ],
  'euc-kr': [
    '항만위원회는 화요일 낡은 북쪽 부두를 내년 봄부터 폐쇄하기로 결정했다.',
    'x9e4uMCnv/jIuLTCIMitv+TAzyCzsMC6ILrPwsogus61zrimILO7s+Igur26zsXNIMbzvOLHz7Hit84gsOHBpMfftNku',
  ],
  'iso-8859-2': [
    'Rada portu postanowiła zamknąć stare nabrzeże dla promów od przyszłej wiosny. Żółć, źdźbło.',
    'UmFkYSBwb3J0dSBwb3N0YW5vd2mzYSB6YW1rbrHmIHN0YXJlIG5hYnJ6Zb9lIGRsYSBwcm9t83cgb2QgcHJ6eXN6s2VqIHdpb3NueS4gr/Oz5iwgvGS8YrNvLg==',
  ],
};

const page = (head: string, body: string) =>
  Buffer.concat([
    Buffer.from(`<html><head>${head}</head><body><p>`),
    Buffer.from(body, 'base64'),
    Buffer.from('</p></body></html>'),
  ]);
const meta = (label: string) => `<meta charset="${label}">`;

test.each(Object.entries(SENTENCES))(
  '%s is read by its header, by its meta element, and by one behind a long comment',
  (label, [text, bytes]) => {
    expect(decodePage(page('', bytes), `text/html; charset=${label}`)).toContain(text);
    expect(decodePage(page(meta(label), bytes), 'text/html')).toContain(text);
    expect(decodePage(page(`<!--${'-'.repeat(1500)} -->${meta(label)}`, bytes), 'text/html')).toContain(text);
  },
);

test.each(Object.entries(SENTENCES).filter(([label]) => label !== 'iso-2022-jp'))(
  '%s is read where the header says UTF-8, which it is not',
  (label, [text, bytes]) => {
    expect(decodePage(page(meta(label), bytes), 'text/html; charset=utf-8')).toContain(text);
  },
);

test.each(Object.keys(SENTENCES))('%s is known by its bytes where nothing names it', (label) => {
  const [text, bytes] = SENTENCES[label] ?? ['', ''];
  expect(decodePage(page('', bytes), 'text/html')).toContain(text);
});

test('UTF-8 that a server calls Latin-1 is read as UTF-8', () => {
  const body = Buffer.from('<p>Żółć für élan</p>');
  expect(decodePage(body, 'text/html; charset=iso-8859-1')).toBe('<p>Żółć für élan</p>');
});

test('UTF-8 with a stray byte stays UTF-8, named or not', () => {
  const body = Buffer.concat([Buffer.from('<p>Żółć für élan, “Orrin”'), Buffer.from([0xe9]), Buffer.from('</p>')]);
  for (const type of ['text/html; charset=utf-8', 'text/html']) {
    expect(decodePage(body, type)).toBe('<p>Żółć für élan, “Orrin”\ufffd</p>');
  }
});

test.each([
  'The harbour board’s chairman said that the café “will move” – for £5.',
  'José closed the café.',
  'Déjà fermé.',
  'Die Fähre ist überfüllt.',
  'Hafnarstjórn ákvað á þriðjudag að loka gömlu bryggjunni.',
])('windows-1252 that nothing names, or that is called UTF-8, is read: %s', (text) => {
  const body = Buffer.from([...`<p>${text}</p>`].map((letter) => WINDOWS.get(letter) ?? letter.charCodeAt(0)));
  for (const type of ['text/html; charset=utf-8', 'text/html']) expect(decodePage(body, type)).toBe(`<p>${text}</p>`);
});

test('Polish of Windows is told from Polish of the standard', () => {
  const [text] = SENTENCES['iso-8859-2'] ?? [''];
  const letters = new Map([...'ąśźĄŚŹ'].map((letter, index) => [letter, [0xb9, 0x9c, 0x9f, 0xa5, 0x8c, 0x8f][index]]));
  const standard = new Map(
    [...'łżćęńóŁŻĆĘŃÓ'].map((letter, index) => [letter, 'b3bfe6eaf1f3a3afc6cad1d3'.slice(2 * index, 2 * index + 2)]),
  );
  const bytes = [...text].map(
    (letter) => letters.get(letter) ?? (Number.parseInt(standard.get(letter) ?? '', 16) || letter.charCodeAt(0)),
  );
  expect(decodePage(Buffer.from(bytes), 'text/html')).toBe(text);
});

test('an XML declaration names the encoding too; a meta element about something else does not', () => {
  const [text, bytes] = SENTENCES['windows-1251'] ?? ['', ''];
  const declared = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?>'), page('', bytes)]);
  expect(decodePage(declared, 'application/xhtml+xml')).toContain(text);
  const about = '<meta name="description" content="On charset=big5 and others">';
  expect(decodePage(page(about + meta('windows-1251'), bytes), 'text/html')).toContain(text);
});

test('any label and any bytes give a text, in time', () => {
  const labels = [
    'utf-16',
    'utf-16be',
    'utf-7',
    'iso-2022-kr',
    'hz-gb-2312',
    'x-user-defined',
    'replacement',
    '"',
    'none',
    'x'.repeat(999),
  ];
  const bodies = [
    Buffer.from('<!--'.repeat(100_000)),
    Buffer.from(`${'<script '.repeat(100_000)}\xff`, 'latin1'),
    Buffer.from(`${'<meta charset '.repeat(20_000)}\xff`, 'latin1'),
    Buffer.from([0xff, 0xfe, 0x61]),
  ];
  for (const label of labels)
    for (const body of bodies) expect(typeof decodePage(body, `text/html; charset=${label}`)).toBe('string');
});

/** Where windows-1252 differs from Latin-1, as far as the sentences need it. */
const WINDOWS = new Map([
  ['’', 0x92],
  ['“', 0x93],
  ['”', 0x94],
  ['–', 0x96],
]);
