import { describe, expect, it } from 'vitest'
import { memoryDomainNames } from '../memory/memory-environment.ts'
import { findsTerms, folded, hasWords, InvalidInput, searchWords, subscriptionTerms, userTerms } from '../src/index.ts'

const DOMAIN_NAMES = memoryDomainNames({ 'bücher.example': 'xn--bcher-kva.example' })
const BRIAN = { email: 'Brian.Smith@Example.com', name: 'Brian Smith' }

describe('a text, folded', () => {
  it.each([
    ['Ada', 'ada'],
    ['École', 'ecole'],
    ['e\u0301cole', 'ecole'],
    ['ŁÓDŹ', 'lodz'],
    ['Søren Kierkegaard', 'soren kierkegaard'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['Ελλάδα', 'ελλαδα'],
    ['İstanbul', 'istanbul'],
    ['ılıca', 'ilica'],
    ['ПРИВЕТ', 'привет'],
    ['Ёлка', 'елка'],
    ['ﬁn', 'fin'],
    ['Ａｄａ', 'ada'],
    ['zero\u200bwidth', 'zerowidth'],
    ['שָׁלוֹם', 'שלום'],
    ['字', '字'],
    ['👩🏽‍🚀', '👩🏽🚀'],
    ['', ''],
  ])('%s is %s', (text, expected) => {
    expect(folded(text)).toBe(expected)
  })
})

describe('the terms of a subscription', () => {
  it.each([
    ['address, domain and words', BRIAN, ['brian.smith@example.com', 'example.com', 'smith']],
    ['no name', { email: 'a@b.example', name: '' }, ['a@b.example', 'b.example']],
    ['a hyphen', { email: 'x@y', name: 'Jean-Luc Picard' }, ['jean-luc', 'luc', 'picard', 'x@y', 'y']],
    ['an apostrophe', { email: 'x@y', name: "Pat O'Brien, (PhD)" }, ["o'brien", 'brien', 'pat', 'phd', 'x@y', 'y']],
    ['quotes and backslashes', { email: 'x@y', name: 'An "A\\B" c' }, ['an', 'b', 'c', 'x@y', 'y']],
    ['no letters', { email: '_x_@y', name: '☆ -' }, ['-', 'x_@y', 'y', '☆']],
    ['another script', { email: 'x@y', name: '王 小明' }, ['x@y', 'y', '小明', '王']],
    ['repetition', { email: 'x@y', name: 'Ann ann ANNA' }, ['anna', 'x@y', 'y']],
  ])('of one with %s', (_, about, expected) => {
    expect(subscriptionTerms(about)).toEqual(expected.toSorted())
  })

  it('are bounded, whatever the name is', () => {
    const names = ['\ufdfa'.repeat(200), '😀'.repeat(200), 'a-'.repeat(100), 'ab '.repeat(66), `${'x'.repeat(199)}y`]
    names.push(Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(' '))
    for (const name of names) {
      const terms = subscriptionTerms({ ...BRIAN, name })
      expect(terms.length).toBeLessThanOrEqual(32)
      for (const term of terms) {
        expect(Buffer.byteLength(term)).toBeLessThanOrEqual(1_000)
        expect(term.isWellFormed()).toBe(true)
      }
    }
  })

  it('are those of a user, with its id', () => {
    expect(userTerms({ ...BRIAN, id: 'auth0|64Af"7' })).toEqual(
      ['64af', '7', 'auth0|64af', 'brian.smith@example.com', 'example.com', 'smith'].toSorted(),
    )
  })
})

describe('a query', () => {
  const finds = (query: string, about = BRIAN) => findsTerms(subscriptionTerms(about), searchWords(query, DOMAIN_NAMES))

  it.each([
    ...['b', 'bri', 'BRIAN', 'brian.smith', 'brian.smith@', 'brian.smith@exam', 'Brian.Smith@example.com'],
    ...['example.com', '@example.com', 'exam', 'smi', 'Smith', 'smith brian', 'smith, brian', '  brian  ', 'brián'],
    ...['smi example.com', '"smith"', ''],
  ])('finds by %j', (query) => {
    expect(finds(query)).toBe(true)
  })

  it.each(['rian', 'mith', 'com', 'brian jones', 'smithe', '%', '_', '*', 'br_an', 'brian.smith@example.org'])(
    'does not find by %j',
    (query) => {
      expect(finds(query)).toBe(false)
    },
  )

  it.each([
    ['renée', { email: 'x@y', name: 'Renee' }],
    ['renee', { email: 'x@y', name: 'Renée' }],
    ["o'br", { email: 'x@y', name: "Pat O'Brien" }],
    ['luc', { email: 'x@y', name: 'Jean-Luc' }],
    ['ann@bücher.example', { email: 'ann@xn--bcher-kva.example', name: '' }],
    ['bücher.example', { email: 'ann@xn--bcher-kva.example', name: '' }],
    ['_x_', { email: '_x_@y', name: '' }],
    ['☆', { email: 'x@y', name: '☆ star' }],
  ])('finds by %j, spelt otherwise', (query, about) => {
    expect(finds(query, about)).toBe(true)
  })

  it('looks for nothing where it has no word', () => {
    for (const query of [undefined, '', ' ', '""', '\u200b']) {
      expect(searchWords(query, DOMAIN_NAMES)).toBeUndefined()
      expect(hasWords(query ?? '')).toBe(false)
    }
    for (const query of ['a', '!', ' "ß']) expect(hasWords(query)).toBe(true)
  })

  it('is refused where it is too long, has too many words, or is broken', () => {
    for (const query of ['a'.repeat(256), 'a b c d e f g h i', 'a\u0000', '\ud800'])
      expect(() => searchWords(query, DOMAIN_NAMES)).toThrow(InvalidInput)
  })
})
