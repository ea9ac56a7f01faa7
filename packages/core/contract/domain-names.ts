import { describe, expect, it } from 'vitest'
import type { DomainNames } from '../src/index.ts'

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

    it('are rejected where a label is not valid', () => {
      const broken = ['', 'xn--', 'xn--a', 'xn--zzzzzzzzzzzzzz', 'xn--ü.example', 'a.xn--a.example', '\u0301a.example']
      for (const name of [...broken, 'a\u200db.example', '\ud800.example'])
        expect([name, toAscii(name)]).toEqual([name, undefined])
    })

    it('are rejected where a character means something in a URL, wherever it stands', () => {
      for (const character of URL_SYNTAX)
        for (const name of [`a${character}b.example`, `${character}a.example`, `a.example${character}`])
          expect([name, toAscii(name)]).toEqual([name, undefined])
      for (const name of [
        'ex%41mple.com',
        'example.com:80',
        '[::1]',
        'user@example.com',
        'a\uff0fb.example',
        'a\u2100.example',
      ])
        expect([name, toAscii(name)]).toEqual([name, undefined])
    })

    it('are rejected where there is a blank or a control character, wherever it stands', () => {
      for (const character of BLANKS)
        for (const name of [`a${character}b.example`, `${character}a.example`, `a.example${character}`])
          expect([name, toAscii(name)]).toEqual([name, undefined])
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
  '.',
  '..',
  'a..b',
  '.a',
  'example.com.',
  '-a-.example',
  'a_b.example',
  `${'a'.repeat(64)}.example`,
  'a.'.repeat(200),
  'ü'.repeat(5_000),
  '😀.example',
  'אב1.example',
]
