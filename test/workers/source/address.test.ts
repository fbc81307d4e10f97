import { isAllowedAddress, isRefusedHost } from '../../../workers/source/address.ts';

const PRIVATE = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '::',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  '::ffff:10.0.0.1',
  '::10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2002:a00:1::',
  '2001:db8::1',
];

test.each(PRIVATE)('%s is refused, whether or not loopback is allowed', (address) => {
  expect(isAllowedAddress(address, false)).toBe(false);
  expect(isAllowedAddress(address, true)).toBe(false);
});

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is allowed only by configuration', (address) => {
  expect(isAllowedAddress(address, false)).toBe(false);
  expect(isAllowedAddress(address, true)).toBe(true);
});

test.each(['8.8.8.8', '2606:4700::1111'])('%s is public', (address) => {
  expect(isAllowedAddress(address, false)).toBe(true);
});

test.each([
  'http://10.0.0.1/',
  'http://[::ffff:10.0.0.1]/',
  'http://169.254.169.254/latest',
  'http://167772161/',
  'http://012.0.0.1/',
  'http://0x0a.0.0.1/',
  'http://127.1/',
])('%s names a private address, however it is written', (url) => {
  expect(isRefusedHost(new URL(url), false)).toBe(true);
});
