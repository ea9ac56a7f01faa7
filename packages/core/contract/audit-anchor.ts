import { describe, expect, it } from 'vitest'
import type { AuditAnchor } from '../src/index.ts'
import { upTo } from './samples.ts'

/** `open` gives an anchor that was never written; `again` the same one, as another process would open it. */
export interface AnchorUnderTest {
  readonly anchor: AuditAnchor
  again(): AuditAnchor
}

export const auditAnchorContract = (open: () => Promise<AnchorUnderTest>) =>
  describe('an anchor of the audit trail', () => {
    it('has nothing before it is written, then what was written last', async () => {
      const { anchor, again } = await open()
      expect(await anchor.read()).toBeUndefined()
      for (const text of ['1.first', '22.second, which is longer', '3.third']) {
        await anchor.write(text)
        expect((await again().read())?.trim()).toBe(text)
      }
    })

    it('has one of the texts as a whole, where several write at the same time', async () => {
      const { anchor, again } = await open()
      const texts = upTo(10).map((n) => `${n}.${'x'.repeat(n * 100)}`)
      await Promise.all(texts.map((text, n) => (n % 2 ? anchor : again()).write(text)))
      expect(texts).toContain((await anchor.read())?.trim())
    })
  })
