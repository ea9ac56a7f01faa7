import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryDomainNames } from '../memory/index.ts'
import { InvalidInput, parseEmailAddress } from '../src/index.ts'

const domainNames = memoryDomainNames({
  'bücher.example': 'xn--bcher-kva.example',
  'exam\u2060ple.com': 'example.com',
  'xn--bad.example': 'xn--bad.example',
  'two words': 'two words',
})
const parse = (value: string) => parseEmailAddress(value, domainNames)
const verdict = (value: string): boolean => {
  try {
    parse(value)
    return true
  } catch (error) {
    if (error instanceof InvalidInput) return false
    throw error
  }
}
const messageOf = (value: string): string | undefined => {
  try {
    parse(value)
    return undefined
  } catch (error) {
    return (error as InvalidInput).details[0]?.message
  }
}
// The rule as the HTML standard prints it, apart from ours.
const WHATWG =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
const expected = (value: string): boolean =>
  WHATWG.test(value) && value.length <= 254 && value.lastIndexOf('@') <= 64 && !/@.*xn--/i.test(value)

const vectors = (name: string) => {
  const path = new URL(`../../../../shared/vectors/${name}`, import.meta.url)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

describe('an e-mail address', () => {
  it('has the spelling that goes on the wire, and a key in lower case', () => {
    expect(parse('Brian.Smith+x@Example.COM')).toEqual({
      value: 'Brian.Smith+x@example.com',
      key: 'brian.smith+x@example.com',
    })
    expect(parse("Ada.O'Hara@BÜCHER.example").value).toBe("Ada.O'Hara@xn--bcher-kva.example")
    expect(parse('Ann@exam\u2060ple.com').value).toBe('Ann@example.com')
  })

  it('is read without the white space and the marks at its ends that are not seen', () => {
    const seen = { value: 'Ann@example.com', key: 'ann@example.com' }
    const margins = [
      ...' \t\r\n\u0085\u00a0\u3000\u00ad\u180e\u200b\u200d\u2060\ufeff',
      ...'\u061c\u200e\u200f\u202a\u202e\u2066\u2069',
    ]
    for (const margin of [...margins, ' \u00a0\u200b\r\n', ' '.repeat(10_000)])
      for (const text of [`${margin}Ann@example.com`, `Ann@example.com${margin}`, `${margin}Ann@example.com${margin}`])
        expect([text, parse(text)]).toEqual([text, seen])
    expect(messageOf(' \u200b\n')).toBe('Give an e-mail address.')
    for (const text of ['Ann @example.com', 'Ann\u200b@example.com', 'A\u202enn@example.com', 'Ann@\u00a0example.com'])
      expect([text, verdict(text)]).toEqual([text, false])
  })

  it('is one with every spelling of its domain', () => {
    const keys = ['a@bücher.example', 'A@BÜCHER.example', 'a@bu\u0308cher.example', 'a@xn--bcher-kva.example']
    expect(new Set(keys.map((value) => parse(value).key))).toEqual(new Set(['a@xn--bcher-kva.example']))
  })

  it('is valid as far as HTML says so, up to the limits', () => {
    const local = 'x'.repeat(64)
    const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(61)}`
    const valid = ["o'hara!#$%&*/=?^_`{|}~-@example.com", '.a..b.@example.com', 'a@localhost', 'a@1.2.3.4']
    for (const value of [...valid, `${local}@example.com`, `${local}@${domain}`]) expect(verdict(value)).toBe(true)
    expect(`${local}@${domain}`).toHaveLength(254)
    const invalid = [
      ...['a', '@', 'a@', '@b', 'a b@c', 'a@b c', 'a@-b', 'a@b-', 'a@b.', 'a@.b', 'a@b..c', 'a@b_c', 'a@[::1]'],
    ]
    const long = [
      ...[`x${local}@example.com`, `${local}@${domain}d`, `a@${'b'.repeat(64)}`, 'a@b@c', '"a"@b', 'ä@b', 'a@b@'],
    ]
    for (const value of [...invalid, ...long, 'a@two words', `a@${'b.'.repeat(300)}c`])
      expect(verdict(value)).toBe(false)
  })

  it('has at most 254 bytes with its domain as A-labels, whatever its length as submitted', () => {
    const label = 'ü'.repeat(40)
    const mapped = `xn--${'x'.repeat(59)}`
    const names = memoryDomainNames({ [`${label}.${label}.${label}.example`]: `${mapped}.${mapped}.${mapped}.example` })
    expect(() => parseEmailAddress(`${'x'.repeat(60)}@${label}.${label}.${label}.example`, names)).toThrow(InvalidInput)
    expect(parseEmailAddress(`${'x'.repeat(50)}@${label}.${label}.${label}.example`, names).key).toHaveLength(250)
  })

  it('never has a control character or an unpaired surrogate', () => {
    const bad = ['\r\nBcc: x@example.com', '\u0000', '\u001f', '\u007f', '\u0080', '\ud800']
    for (const one of [...bad, '\n', '\t', '\u0085'])
      for (const value of [`a${one}@example.com`, `a@exam${one}ple.com`]) expect(verdict(value)).toBe(false)
    for (const one of bad)
      for (const value of [`${one}a@example.com`, `a@example.com${one}`]) expect(verdict(value)).toBe(false)
  })

  it('that is not valid says what to do, in the field that was filled', () => {
    expect(messageOf('')).toBe('Give an e-mail address.')
    expect(messageOf('a')).toBe('Give an address such as name@example.com.')
    expect(messageOf('a@b_c')).toBe('Give an address such as name@example.com.')
    expect(messageOf('x'.repeat(10_000_000))).toBe('Use an address of at most 254 bytes.')
    expect(messageOf(`${'x'.repeat(60)}@${'a.'.repeat(100)}com`)).toBe('Use an address of at most 254 bytes.')
    expect(messageOf(`${'x'.repeat(65)}@b`)).toBe('Use at most 64 bytes before the @.')
    expect(messageOf('a\u0000@b')).toBe('Remove the control characters from the address.')
    expect(() => parse('')).toThrow("Correct 'email' and send it again.")
  })

  it('has a mapped domain that must be valid, too', () => {
    expect(verdict('a@xn--bad.example')).toBe(true)
    expect(verdict('a@xn--unknown.example')).toBe(false)
  })

  it('agrees with the rule of HTML on every ASCII text, and its key is its own key', () => {
    const part = fc.string({ unit: fc.constantFrom(...'aZ09.-_@+\'" %!'), maxLength: 12 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.tuple(part, part).map(([a, b]) => `${a}@${b}`),
        ),
        (text) => {
          const value = text.trim()
          expect(verdict(text)).toBe(expected(value))
          if (!expected(value)) return
          expect(parse(parse(value).key).key).toBe(parse(value).key)
          expect(parse(parse(value).value)).toEqual(parse(value))
        },
      ),
    )
  })

  const wpt = vectors('wpt.input-email.json')
  it.each<{ value: string; valid_in_browser: boolean }>(wpt?.cases ?? [])(
    'is judged as browsers judge $value',
    ({ value, valid_in_browser }) => {
      expect(verdict(value.trim())).toBe(valid_in_browser)
    },
  )

  it('is judged by the rule of HTML for whatever others collected', () => {
    for (const { address } of vectors('isemail.tests.json') ?? [])
      expect([address, verdict(address)]).toEqual([address, expected(address.trim())])
  })
})
