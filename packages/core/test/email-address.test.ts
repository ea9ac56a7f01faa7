import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryDomainNames } from '../memory/index.ts'
import { envelopeAddress, InvalidInput, parseEmailAddress } from '../src/index.ts'

const domainNames = memoryDomainNames({
  'bücher.example': 'xn--bcher-kva.example',
  'xn--bad.example': 'xn--bad.example',
  'two words': 'two words',
})
const parse = (value: string) => parseEmailAddress(value, domainNames)
const verdict = (value: string): boolean => {
  try {
    return parse(value).value === value
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
  it('is echoed as submitted, and known by its lower-case key', () => {
    expect(parse('Brian.Smith+x@Example.COM')).toEqual({
      value: 'Brian.Smith+x@Example.COM',
      key: 'brian.smith+x@example.com',
    })
  })

  it('is one with every spelling of its domain', () => {
    const keys = ['a@bücher.example', 'A@BÜCHER.example', 'a@bu\u0308cher.example', 'a@xn--bcher-kva.example']
    expect(new Set(keys.map((value) => parse(value).key))).toEqual(new Set(['a@xn--bcher-kva.example']))
    expect(parse('a@bu\u0308cher.example').value).toBe('a@bu\u0308cher.example')
  })

  it('is valid as far as HTML says so, up to the limits', () => {
    const local = 'x'.repeat(64)
    const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(61)}`
    const valid = ["o'hara!#$%&*/=?^_`{|}~-@example.com", '.a..b.@example.com', 'a@localhost', 'a@1.2.3.4']
    for (const value of [...valid, `${local}@example.com`, `${local}@${domain}`]) expect(verdict(value)).toBe(true)
    expect(`${local}@${domain}`).toHaveLength(254)
    const invalid = [
      'a',
      '@',
      'a@',
      '@b',
      'a b@c',
      'a@b c',
      'a@-b',
      'a@b-',
      'a@b.',
      'a@.b',
      'a@b..c',
      'a@b_c',
      'a@[::1]',
    ]
    const long = [
      `x${local}@example.com`,
      `${local}@${domain}d`,
      `a@${'b'.repeat(64)}`,
      'a@b@c',
      '"a"@b',
      'ä@b',
      'a@b@',
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
    for (const bad of ['\r\nBcc: x@example.com', '\n', '\t', '\u0000', '\u007f', '\u0085', '\ud800'])
      for (const value of [`a${bad}@example.com`, `a@exam${bad}ple.com`, `${bad}a@example.com`, `a@example.com${bad}`])
        expect(verdict(value)).toBe(false)
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

  it('goes into the envelope with its local part as submitted and its domain as A-labels', () => {
    const { value, key } = parse("Ada.O'Hara@BÜCHER.example")
    expect(envelopeAddress(value, key)).toBe("Ada.O'Hara@xn--bcher-kva.example")
  })

  it('agrees with the rule of HTML on every ASCII text, and its key is its own key', () => {
    const part = fc.string({ unit: fc.constantFrom(...'aZ09.-_@+\'" %!'), maxLength: 12 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.tuple(part, part).map(([a, b]) => `${a}@${b}`),
        ),
        (value) => {
          expect(verdict(value)).toBe(expected(value))
          if (verdict(value)) expect(parse(parse(value).key).key).toBe(parse(value).key)
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
      expect([address, verdict(address)]).toEqual([address, expected(address)])
  })
})
