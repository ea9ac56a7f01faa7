const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Part of every address and name that is sent: found anywhere else, it is a leak of personal data. */
export const PERSONAL = 'zqperson'

/** Users and feeds that must not change; no valid input names them. */
export const GUARDED = 'guarded'

/** Texts that have broken software before. */
export const NAUGHTY: readonly [string, ...string[]] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\t',
  '\n',
  '\r\n',
  '\u001b[31m',
  '\u0085',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\u{10ffff}',
  'e\u0301',
  'İıßẞ',
  'ﬀ',
  '😀',
  '👩‍👩‍👧‍👦',
  '字'.repeat(70),
  'a'.repeat(255),
  'a'.repeat(5000),
  '%',
  '%00',
  '%0a',
  '%2e%2e%2f',
  '%25',
  '%c0%af',
  '%ed%a0%80',
  '%ff',
  '%u0000',
  '+',
  '&',
  '=',
  ';',
  '#',
  '?',
  '/',
  '//',
  '\\',
  '..',
  '.',
  '../../etc/passwd',
  '*',
  '_',
  "'",
  '"',
  "'; DROP TABLE users;--",
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'null',
  'undefined',
  'true',
  'false',
  'NaN',
  'Infinity',
  '0',
  '-0',
  '-1',
  '1',
  '1e308',
  '1e999',
  '0x10',
  '9007199254740991',
  '9007199254740993',
  '18446744073709551616',
  '2024-02-30T25:61:61Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  'xn--',
  'xn--a',
  'xn--zzzzzz99999',
  '[::1]',
  '@',
  'a@b@c',
  '"a b"@example.com',
  'operator:root',
]

export const METHODS: readonly [string, ...string[]] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']

/** Every path, with placeholders in braces. */
export const PATHS = words(`
  /subscribe /challenge /challenge.js /confirm/{link} /refuse/{link} /unsubscribe/{link} /preferences
  /preferences/{link} /preferences/{link}/export /users /users/{user} /users/{user}/export /users/{user}/erasure
  /users/{user}/restore /feeds /feeds/{feed} /subscriptions /subscriptions/export /subscriptions/import
  /subscriptions/{subscription} /subscriptions/{subscription}/consent /subscriptions/{subscription}/confirm
  /subscriptions/{subscription}/end /suppressions /suppressions/{address} /webhooks /webhooks/{webhook} /events
  /audit /livez /readyz /.well-known/jwks.json /openapi.json
`)

export const QUERY_NAMES = words(`
  after cursor dry_run email feed format limit mail map query reason return_to role status subscriptions
  subscriptions_expected
`)

/** Field names in bodies of all endpoints. */
export const FIELD_NAMES = words(`
  email name feed locale website altcha return_to roles title description language sender wording return_urls
  confirmed_url home_url remind_after open reason action never_again url types secret if_match expected
`)

/** Header fields with a meaning to the service, a proxy, or Node. */
export const HEADER_NAMES = words(`
  Accept Accept-Encoding Accept-Language Access-Control-Request-Headers Access-Control-Request-Method Authorization
  Content-Disposition Content-Encoding Content-Language Content-Location Content-Range Content-Type Cookie Date
  Forwarded Host If-Match If-Modified-Since If-None-Match If-Range If-Unmodified-Since Max-Forwards Origin Prefer
  Range Referer TE User-Agent Via X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-HTTP-Method-Override X-Reason
  X-Request-Id __proto__ constructor
`)

/** Values of header fields that some parser might interpret. */
export const HEADER_VALUES: readonly [string, ...string[]] = [
  '*',
  '*/*',
  'text/html',
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'multipart/form-data; boundary=x',
  'application/x-ndjson',
  'text/csv; charset=utf-8',
  'text/csv; header=absent',
  'gzip',
  'deflate',
  'br',
  'zstd',
  'gzip, gzip',
  'identity',
  '"a"',
  'W/"a"',
  '"a", "b", W/"c"',
  '"unclosed',
  'Tue, 02 Jul 2024 12:56:49 GMT',
  'Tuesday, 02-Jul-24 12:56:49 GMT',
  'Tue Jul  2 12:56:49 2024',
  'Tue, 32 Foo 9999 99:99:99 GMT',
  'bytes=0-',
  'bytes 0-1/2',
  'bytes=0-0,1-1,2-2',
  'localhost',
  'a:b:c',
  '[::1]:80',
  'de-DE, en;q=0.5, *;q=0.1',
  'de;q=abc',
  'a-'.repeat(200),
  '127.0.0.1, ::ffff:10.0.0.1, unknown',
  'for="[::1]";proto=https',
  'https://news.example.com',
  'null',
  'DELETE',
  '100-continue',
  ', '.repeat(300),
  '"'.repeat(301),
]
