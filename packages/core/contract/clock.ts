import { describe, expect, it } from 'vitest'
import type { Clock } from '../src/index.ts'

export const clockContract = (open: () => Clock) =>
  describe('a clock', () => {
    it('gives the time in whole milliseconds since 1970', () => {
      const now = open().now()
      expect(Number.isSafeInteger(now)).toBe(true)
      expect(now).toBeGreaterThan(Date.UTC(2025, 0, 1))
      expect(now).toBeLessThan(Date.UTC(2200, 0, 1))
    })
  })
