import { describe, expect, it } from 'vitest'
import type { Clock, Digests, DomainNames, KeyPurpose, Randomness } from '../src/index.ts'
import { TEXTS, upTo } from './samples.ts'

export const clockContract = (open: () => Clock) =>
  describe('a clock', () => {
    it('gives the time in whole milliseconds since 1970', () => {
      const now = open().now()
      expect(Number.isSafeInteger(now)).toBe(true)
      expect(now).toBeGreaterThan(Date.UTC(2025, 0, 1))
      expect(now).toBeLessThan(Date.UTC(2200, 0, 1))
    })
  })

const bytesOf = (hex: string): string[] => hex.match(/../g) ?? []

export const randomnessContract = (open: () => Randomness) =>
  describe('randomness', () => {
    it('gives as many bytes as asked for, as lower-case hexadecimal', () => {
      const randomness = open()
      for (const bytes of [0, 1, 8, 12, 16, 32, 255, 5_000]) {
        const hex = randomness.hex(bytes)
        expect(hex).toMatch(/^[0-9a-f]*$/)
        expect(hex).toHaveLength(2 * bytes)
      }
    })

    it('never gives the same eight bytes again', () => {
      const randomness = open()
      expect(new Set(upTo(5_000).map(() => randomness.hex(8))).size).toBe(5_000)
    })

    it('gives every byte about as often as any other', () => {
      const counts = new Map<string, number>()
      for (const byte of bytesOf(open().hex(256 * 64))) counts.set(byte, (counts.get(byte) ?? 0) + 1)
      expect(counts.size).toBe(256)
      // 64 of each are expected; beyond eight standard deviations is not chance.
      expect(Math.max(...counts.values())).toBeLessThan(64 + 8 * 8)
    })

    it('gives fractions from 0 up to, but not including, 1, in every tenth of the way', () => {
      const randomness = open()
      const fractions = upTo(1_000).map(() => randomness.fraction())
      expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true)
      expect(new Set(fractions.map((fraction) => Math.floor(fraction * 10))).size).toBe(10)
    })
  })

/** Digests of an instance that has this secret. */
export type OpenDigests = (secret: string) => Digests

// As an object, so that a forgotten purpose does not compile.
const PURPOSES = Object.keys({
  address: true,
  'audit-seal': true,
  challenge: true,
  'feedback-id': true,
  form: true,
  'user-roles': true,
  'webhook-secret': true,
  'subscription-id': true,
} satisfies Record<KeyPurpose, true>) as KeyPurpose[]

// The first four are the examples of FIPS 180; the next stand where a block and its padding end.
const SHA256: readonly (readonly [text: string, digest: string])[] = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  [
    'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  ],
  ['a'.repeat(55), '9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318'],
  ['a'.repeat(56), 'b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a'],
  ['a'.repeat(63), '7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34'],
  ['a'.repeat(64), 'ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb'],
  ['a'.repeat(65), '635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0'],
  ['ü€😀\u0000', '266fad023b2059e6d34d08b28f28deeaf5c0c57ca876862a9736191f75eae349'],
  ['\ud800', '83d544ccc223c057d2bf80d3f2a32982c32c3c0db8e2674820da5064783fb097'],
]

export const digestsContract = (open: OpenDigests) =>
  describe('digests', () => {
    it('give the SHA-256 of the UTF-8 bytes of a text, an unpaired surrogate counting as U+FFFD', () => {
      const { sha256 } = open('secret')
      for (const [text, digest] of SHA256) expect(sha256(text)).toBe(digest)
    })

    it('give an HMAC of 64 lower-case hexadecimal characters for any text', () => {
      const { hmac } = open('secret')
      for (const text of [...TEXTS, '\u0000', '\ud800', 'x'.repeat(10_000)])
        expect(hmac('address', text)).toMatch(/^[0-9a-f]{64}$/)
    })

    it('give the same HMAC again on every instance with the same secret', () => {
      const [one, other] = [open('secret'), open('secret')]
      for (const text of TEXTS)
        for (const purpose of PURPOSES) {
          expect(one.hmac(purpose, text)).toBe(one.hmac(purpose, text))
          expect(other.hmac(purpose, text)).toBe(one.hmac(purpose, text))
        }
    })

    it('give another HMAC for every other secret, purpose and text', () => {
      const secrets = ['secret', 'Secret', 'secret2', 'x'.repeat(200), 'address']
      const texts = ['', 'a', 'A', 'a ', 'e\u0301', '\u00e9', 'link-confirm']
      const all = secrets.flatMap((secret) =>
        PURPOSES.flatMap((purpose) => texts.map((text) => open(secret).hmac(purpose, text))),
      )
      expect(new Set(all).size).toBe(secrets.length * PURPOSES.length * texts.length)
    })

    it('never give the bare SHA-256 of a text as its HMAC', () => {
      const { hmac, sha256 } = open('')
      for (const purpose of PURPOSES) expect(hmac(purpose, 'abc')).not.toBe(sha256('abc'))
    })

    it('tell whether two texts are the same, of whatever length', () => {
      const { equal } = open('secret')
      const text = '0123456789abcdef'
      expect(equal(text, `${text}`)).toBe(true)
      expect(equal('', '')).toBe(true)
      for (let at = 0; at < text.length; at++)
        expect(equal(text, `${text.slice(0, at)}x${text.slice(at + 1)}`)).toBe(false)
      for (const other of ['', text.slice(1), text.slice(0, -1), `${text}0`, `0${text}`, text.toUpperCase()]) {
        expect(equal(text, other)).toBe(false)
        expect(equal(other, text)).toBe(false)
      }
    })
  })

const URL_SYNTAX = ['/', '\\', '?', '#', '@', ':', '[', ']', '<', '>', '^', '|', '%', '`', '{', '}']
const BLANKS = [' ', '\t', '\n', '\r', '\u0000', '\u007f', '\u00a0', '\u3000', '\u2028']

/** The names that this contract asks about, as UTS #46 maps them without transition. */
export const MAPPED_NAMES = {
  'bücher.example': 'xn--bcher-kva.example',
  'BÜCHER.example': 'xn--bcher-kva.example',
  'bu\u0308cher.example': 'xn--bcher-kva.example',
  'faß.example': 'xn--fa-hia.example',
  'βόλος.example': 'xn--nxasmm1c.example',
  '例え。テスト': 'xn--r8jz45g.xn--zckzah',
  'ｅｘａｍｐｌｅ.com': 'example.com',
  'ex\u00adample.com': 'example.com',
  'exam\u2060ple.com': 'example.com',
  'مثال.إختبار': 'xn--mgbh0fb.xn--kgbechtv',
  'xn--bcher-kva.example': 'xn--bcher-kva.example',
  'XN--Bcher-KVA.example': 'xn--bcher-kva.example',
} as const

export const domainNamesContract = (open: () => DomainNames) =>
  describe('domain names', () => {
    const { toAscii } = open()

    it('are in lower case, and as they are where they need no mapping', () => {
      expect(toAscii('example.com')).toBe('example.com')
      expect(toAscii('Mail.EXAMPLE.Com')).toBe('mail.example.com')
      expect(toAscii('localhost')).toBe('localhost')
      expect(toAscii('a-b.c-1.example')).toBe('a-b.c-1.example')
    })

    it('are mapped to A-labels by UTS #46, non-transitional, in every spelling alike', () => {
      for (const [name, mapped] of Object.entries(MAPPED_NAMES)) expect([name, toAscii(name)]).toEqual([name, mapped])
    })

    it('are what they were when they are mapped again', () => {
      for (const mapped of Object.values(MAPPED_NAMES)) expect(toAscii(mapped)).toBe(mapped)
    })

    const expectRejected = (names: readonly string[]) => {
      for (const name of names) expect([name, toAscii(name)]).toEqual([name, undefined])
    }
    const withEach = (characters: readonly string[]) =>
      characters.flatMap((character) => [`a${character}b.example`, `${character}a.example`, `a.example${character}`])

    it('are rejected where a label is not valid', () => {
      expectRejected(['', 'xn--', 'xn--a', 'xn--zzzzzzzzzzzzzz', 'xn--ü.example', 'a.xn--a.example', '\u0301a.example'])
      expectRejected(['a\u200db.example', '\ud800.example'])
    })

    it('are rejected where a character means something in a URL, wherever it stands', () => {
      expectRejected(withEach(URL_SYNTAX))
      expectRejected(['ex%41mple.com', 'example.com:80', '[::1]', 'user@example.com', 'a\uff0fb.example'])
      expectRejected(['a\u2100.example'])
    })

    it('are rejected where there is a blank or a control character, wherever it stands', () => {
      expectRejected(withEach(BLANKS))
    })

    it('are never taken for the numbers that they look like', () => {
      for (const name of ['127.1', '0x7f.1', '2130706433', '1.2.3.4', '0177.0.0.1', '\uff11\uff12\uff17.1'])
        expect([undefined, name]).toContain(toAscii(name))
    })

    it('never throw, and are nothing but visible ASCII in lower case', () => {
      const names = Array.from({ length: 0x3100 }, (_, code) => `a${String.fromCodePoint(code)}b`)
      const odd = [...UNUSUAL, ...names].filter((name) => !/^[!-@[-~]+$/.test(toAscii(name) ?? 'none'))
      expect(odd).toEqual([])
    })
  })

const UNUSUAL = [
  ...['.', '..', 'a..b', '.a', 'example.com.', '-a-.example', 'a_b.example', '😀.example', 'אב1.example'],
  ...[`${'a'.repeat(64)}.example`, 'a.'.repeat(200), 'ü'.repeat(5_000)],
]
