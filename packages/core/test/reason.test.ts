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

  it('is not refused because a short name is a part of its words, or there is no name', () => {
    for (const [reason, name] of [
      ['also leaves', 'Al'],
      ['ended, see 𝒜l', 'e'],
      ['left', ''],
      ['left', ' '],
      ['total 12', '1'],
    ] as const)
      expect(reading(reason, name)()).toBe(reason)
  })
})
