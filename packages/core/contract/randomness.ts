import { describe, expect, it } from 'vitest'
import type { Randomness } from '../src/index.ts'
import { upTo } from './samples.ts'

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
