import { describe, expect, it } from 'vitest'
import { parseReason } from '../src/audit/reason.ts'

const reading = (reason: string, name: string) => () =>
  parseReason(reason, { whose: "the user's", name, addresses: ['Al@Example.com', 'al@example.com'] })

describe('a reason', () => {
  it('is refused where it says who it was, however that is written', () => {
    for (const [reason, name] of [
      ['Brian Smith left', 'Brian Smith'],
      ['BRIAN  SMITH left', 'Brian Smith'],
      ['brians', 'Brian'],
      ['al@EXAMPLE.com wrote', ''],
      ['Al left', 'Al'],
      ['left (al)', 'Al'],
      ['al', 'Al'],
      ['王芳さん', '王芳'],
      ['ticket of Ｂｏｂ', 'Bob'],
    ] as const)
      expect(reading(reason, name), reason).toThrow("Correct 'reason'")
  })

  it('is refused where it names an address whose domain it may write with other letters', () => {
    const person = { whose: "the user's", name: '', addresses: ['al@mail.xn--bcher-kva.example'] }
    for (const reason of [
      'Al@mail.bücher.example wrote',
      'AL@MAIL.BU\u0308CHER.example',
      'al@mail.xn--bcher-kva.example',
    ])
      expect(() => parseReason(reason, person), reason).toThrow("Correct 'reason'")
    for (const reason of ['bob@mail.bücher.example wrote', 'al left']) expect(parseReason(reason, person)).toBe(reason)
  })

  it('is not refused because a short name is a part of its words, or there is no name', () => {
    for (const [reason, name] of [
      ['also leaves', 'Al'],
      ['ended, see 𝒜l', 'e'],
      ['left', ''],
      ['two  words', ' '],
      ['total 12', '1'],
    ] as const)
      expect(reading(reason, name)()).toBe(reason)
  })
})
