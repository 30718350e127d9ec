import { isCrossOrigin, isLocalHostHeader, isLoopback, requireSafeHost } from '../../src/http/access/loopback';

test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', 'localhost', 'LocalHost'])(
  '%s is this machine alone',
  (host) => {
    expect(isLoopback(host)).toBe(true);
    expect(() => requireSafeHost(host, false)).not.toThrow();
  },
);

test.each([
  '0.0.0.0',
  '::',
  '192.168.0.7',
  '10.0.0.1',
  '::ffff:192.168.0.7',
  'fe80::1',
  'localhost.example',
  'api',
  '127.0.0.1.example',
  '128.0.0.1',
  '',
])('%j can be reached by others: without tokens the API does not start there', (host) => {
  expect(isLoopback(host)).toBe(false);
  expect(() => requireSafeHost(host, false)).toThrow(expect.objectContaining({ code: 'config.invalid' }));
  expect(() => requireSafeHost(host, true)).not.toThrow();
});

test('a Host header names this machine, with or without a port, or it does not', () => {
  for (const header of ['localhost', 'localhost:80', '127.0.0.1:65535', '[::1]', '[::1]:80'])
    expect(isLocalHostHeader(header)).toBe(true);
  for (const header of [
    undefined,
    '',
    'evil.example',
    'localhost.',
    'localhost:evil',
    '[::1',
    '::1',
    '[evil.example]',
    'localhost@evil.example',
    'evil.example:127.0.0.1',
    '127.0.0.1/evil',
  ])
    expect(isLocalHostHeader(header)).toBe(false);
});

test('a request is of another origin when its browser says so; programs say nothing', () => {
  expect(isCrossOrigin({ host: 'localhost:1' })).toBe(false);
  expect(isCrossOrigin({ host: 'localhost:1', origin: 'http://localhost:1', 'sec-fetch-site': 'same-origin' })).toBe(
    false,
  );
  expect(isCrossOrigin({ host: 'localhost:1', 'sec-fetch-site': 'none' })).toBe(false);
  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:2' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    expect(isCrossOrigin({ host: 'localhost:1', ...headers })).toBe(true);
});
