import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryDigests } from '../memory/index.ts'
import {
  asFeedName,
  asLocale,
  asSubscriptionId,
  asUserId,
  DEFAULT_FEED,
  InvalidInput,
  languageRanges,
  parseFeedName,
  parseLocale,
  parseUserId,
  subscriptionIdentity,
} from '../src/index.ts'
import { parsePersonName } from '../src/text.ts'

const digests = memoryDigests('secret')

describe('a name', () => {
  it('is kept exactly, whatever its script', () => {
    for (const name of [
      ...['', ' Brian  Smith ', 'e\u0301', 'עברית', '👩🏽‍🚀', '\u200b', "O'Hara", '<b>', '😀'.repeat(200)],
    ])
      expect(parsePersonName(name)).toBe(name)
  })

  it('has at most 200 code points, no control characters and no unpaired surrogates', () => {
    const refused = {
      'Use at most 200 characters.': ['x'.repeat(201), '😀'.repeat(201), 'x'.repeat(10_000_000)],
      'Remove the control characters (line breaks, tabs and the like).': ['\n', 'a\tb', '\u0000', '\u007f', '\u009f'],
      'Remove the broken characters (unpaired surrogates).': ['\ud800', 'a\udc00b'],
    }
    for (const [message, names] of Object.entries(refused))
      for (const name of names) {
        const problem = { details: [{ field: 'name', message }] }
        expect(() => parsePersonName(name)).toThrow(expect.objectContaining(problem))
      }
  })
})

describe('a locale', () => {
  it('is a well-formed language tag, kept as it is', () => {
    const tags = [
      ...['en', 'de-CH', 'pt-BR', 'zh-Hant-TW', 'zh-cmn-Hans-CN', 'sl-rozaj-biske', 'de-1996', 'es-419', 'EN-us'],
    ]
    for (const tag of [...tags, 'de-CH-x-phonebk', 'en-u-ca-gregory-nu-latn', 'x-whatever', 'tlh', 'abcdefgh'])
      expect(parseLocale(tag, 'language')).toBe(tag)
  })

  it('is missing where it was not given or empty', () => {
    expect(parseLocale(undefined, 'language')).toBeUndefined()
    expect(parseLocale('', 'language')).toBeUndefined()
  })

  it('may be written as operating systems do', () => {
    expect(asLocale(' de_DE\n')).toBe('de-DE')
    expect(asLocale('zh_Hant_TW')).toBe('zh-Hant-TW')
    expect(languageRanges('de_AT')).toEqual(['de-at', 'de'])
  })

  it('is no locale where it is no such tag, and is refused where one is needed', () => {
    const refused = [
      ...['e', 'de_DE.UTF-8', 'en-', '-en', 'en--US', 'abcdefghi', 'en-a', 'en-US-US', 'ｅｎ', 'x', 'x-', '1en'],
    ]
    for (const tag of [...refused, `en-${'a'.repeat(9)}`, `en-x-${'abcdefgh-'.repeat(4)}a`])
      expect([tag, asLocale(tag)]).toEqual([tag, undefined])
    for (const tag of [...refused, 'de_DE', ' de'])
      expect(() => parseLocale(tag, 'language')).toThrow(
        expect.objectContaining({ details: [expect.objectContaining({ field: 'language' })] }),
      )
  })

  it('is looked up as RFC 4647 section 3.4 has it', () => {
    expect(languageRanges('zh-Hant-CN-x-private1-private2')).toEqual([
      'zh-hant-cn-x-private1-private2',
      'zh-hant-cn-x-private1',
      'zh-hant-cn',
      'zh-hant',
      'zh',
    ])
    for (const none of ['a-'.repeat(10_000), '', '*', 'de_']) expect(languageRanges(none)).toEqual([])
  })
})

describe('a feed name', () => {
  it('is 1 to 64 of a-z, 0-9 and hyphen, beginning with a letter or a digit', () => {
    for (const name of ['a', '0', 'a-', 'a--b', 'x'.repeat(64), DEFAULT_FEED]) expect(parseFeedName(name)).toBe(name)
    for (const name of ['', '-a', 'A', 'a_b', 'a.b', 'ä', ' a', 'a\n', 'x'.repeat(65)]) {
      expect(asFeedName(name)).toBeUndefined()
      expect(() => parseFeedName(name, 'feed')).toThrow("Correct 'feed'")
      expect(() => parseFeedName(name)).toThrow(InvalidInput)
    }
  })
})

describe('a user id', () => {
  it('is 1 to 255 visible ASCII characters, neither a dot segment nor an operator', () => {
    for (const id of [
      ...['a', '0', '...', 'a/b', 'auth0|123', '%', 'operator', 'xoperator:', 'operator-x:', '~'.repeat(255)],
    ])
      expect(parseUserId(id)).toBe(id)
    for (const id of [
      ...['', '.', '..', 'a b', 'ä', 'a\n', '\u007f', 'operator:root', 'Operator:x', 'OPERATOR:', 'operator:'],
      'x'.repeat(256),
    ]) {
      expect(asUserId(id)).toBeUndefined()
      expect(() => parseUserId(id)).toThrow("Correct 'id'")
      expect(() => parseUserId(id, 'subject')).toThrow("Correct 'subject'")
    }
  })
})

describe('a subscription id', () => {
  it('in a text is a whole number from 1 to 2^53-1, in one spelling', () => {
    for (const id of [1, 42, 2 ** 53 - 1]) expect(asSubscriptionId(String(id))).toBe(id)
    for (const text of ['', '0', '-1', '01', '1.0', '1e3', ' 1', '0x1', String(2 ** 53), '9'.repeat(17), 'NaN', '१'])
      expect(asSubscriptionId(text)).toBeUndefined()
  })

  it('is made of feed and address alone, and is another for every other feed, address and counter', () => {
    const candidates = ['default', 'news'].flatMap((feed) =>
      ['a@x', 'b@x', 'a@x.y'].flatMap((address) =>
        [0, 1, 2].map((n) => subscriptionIdentity(digests, parseFeedName(feed), address).candidate(n)),
      ),
    )
    expect(new Set(candidates).size).toBe(18)
    const again = subscriptionIdentity(digests, DEFAULT_FEED, 'a@x')
    expect([again.candidate(0), again.candidate(1)]).toEqual(candidates.slice(0, 2))
    expect(again.fingerprint).toMatch(/^[0-9a-f]{32}$/)
    expect(subscriptionIdentity(memoryDigests('other'), DEFAULT_FEED, 'a@x').candidate(0)).not.toBe(candidates[0])
  })

  it('is in 1..2^53-1 whatever the hash, and uses all of it', () => {
    const idFor = (hash: string) =>
      subscriptionIdentity({ ...digests, hmac: () => hash }, DEFAULT_FEED, 'a@x').candidate(0)
    expect(idFor('0'.repeat(64))).toBe(1)
    expect(idFor('f'.repeat(64))).toBe(2 ** 53 - 1)
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (hash) => {
        const id = idFor(hash.toString(16).padStart(64, '0'))
        expect(Number.isSafeInteger(id) && id >= 1).toBe(true)
      }),
    )
  })
})
