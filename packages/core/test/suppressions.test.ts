import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { SuppressionNotFound } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, mailedToken, NO_ROLES, outboxOf, refuse, type Service, subscribe } from './cast.ts'

const list = async (at: Service, who = AUDITOR) => (await at.useCases.listSuppressions.execute({}, who)).items
const lift = (at: Service, address: string, who = ADMIN) => at.useCases.liftSuppression.execute({ address }, who)

const refused = async (email = 'ada@bücher.example') => {
  const at = openMemoryService()
  await subscribe(at, email)
  await refuse(at, await mailedToken(at, 'refuse'))
  return at
}

describe('suppressions', () => {
  it('are listed by hash, with cause and time, for who may read them', async () => {
    const at = await refused()
    expect(await list(at)).toEqual([
      { address: expect.stringMatching(/^[0-9a-f]{32}$/), cause: 'refused', since: at.clock.now() },
    ])
    expect(JSON.stringify(await list(at))).not.toContain('@')
    await at.useCases.reads.flush()
    expect(await auditOf(at)).toMatchObject([{ actor: 'eve', action: 'suppression.read', outcome: 'done' }])
    await expect(list(at, NO_ROLES)).rejects.toThrow('Reading suppressions requires')
  })

  it('are lifted by hash or by address, however it is written, and mails go to it again', async () => {
    for (const how of ['hash', 'ADA@BÜCHER.example', 'ada@xn--bcher-kva.example']) {
      const at = await refused()
      const [known] = await list(at)
      expect(await lift(at, how === 'hash' ? String(known?.address) : how)).toBe(known?.address)
      expect(await list(at)).toEqual([])
      at.clock.advance(24 * 3_600_000)
      await subscribe(at, 'ada@bücher.example')
      expect(await outboxOf(at)).toHaveLength(1)
    }
  })

  it('leave the hash in the trail when they are lifted, never the address', async () => {
    const at = await refused()
    const [known] = await list(at)
    await lift(at, 'ada@bücher.example')
    await expect(lift(at, 'ada@bücher.example', AUDITOR)).rejects.toThrow('Lifting suppressions requires')
    await at.useCases.refusals.flush()
    expect((await auditOf(at)).map(({ action, target, outcome }) => [action, target, outcome])).toEqual([
      ['suppression.lift', known?.address, 'done'],
      ['suppression.lift', '<address>', 'InsufficientPermissions'],
    ])
  })

  it('cannot be lifted where the address is not suppressed, or by what is neither address nor hash', async () => {
    const at = await refused()
    const [known] = await list(at)
    for (const address of [
      'bob@example.com',
      'f'.repeat(32),
      known?.address.toUpperCase() ?? '',
      '',
      'nonsense',
      'a@b@',
    ])
      await expect(lift(at, address)).rejects.toBeInstanceOf(SuppressionNotFound)
    expect(await list(at)).toHaveLength(1)
    expect(await auditOf(at)).toEqual([])
  })
})
