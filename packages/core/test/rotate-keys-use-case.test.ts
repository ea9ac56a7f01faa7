import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { KeysNotRotatable, LONGEST_LINK_LIFE, LONGEST_TOKEN_LIFETIME, operator } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, type Service } from './cast.ts'

const rotate = ({ useCases }: Service, revoke = false, who = ADMIN) => useCases.rotateKeys.execute({ revoke }, who)
const isGood = ({ useCases }: Service, token: string) =>
  useCases.authenticate.execute({ token, channel: 'http' }).then(
    () => true,
    () => false,
  )
const tokenOf = async ({ useCases }: Service, lifetime = 3_600) =>
  (await useCases.issueToken.execute({ subject: 'ada', roles: ['admin'], lifetime }, ADMIN)).token

describe('rotating the signing keys', () => {
  it('leaves every token good until it expires, be it a year from now', async () => {
    const at = openMemoryService()
    const token = await tokenOf(at, LONGEST_TOKEN_LIFETIME)
    const { verifyUntil } = await rotate(at)
    expect(verifyUntil).toBeGreaterThan(at.clock.now() + LONGEST_TOKEN_LIFETIME * 1_000)
    at.clock.advance(LONGEST_TOKEN_LIFETIME * 1_000 - 1)
    expect(await isGood(at, token)).toBe(true)
  })

  it('is recorded with the id of the new key, and whether the others were revoked', async () => {
    const at = openMemoryService()
    const [first, second] = [await rotate(at, false, operator('ops')), await rotate(at, true, operator('ops'))]
    expect(second.verifyUntil).toBeUndefined()
    expect(await auditOf(at)).toMatchObject([
      { actor: 'operator:ops', action: 'key.rotate', target: first.keyId, outcome: 'done', reason: undefined },
      { action: 'key.rotate', target: second.keyId, outcome: 'done', reason: 'earlier keys revoked' },
    ])
  })

  it('requires the role, and a refusal is recorded', async () => {
    const at = openMemoryService()
    await expect(rotate(at, true, AUDITOR)).rejects.toThrow("Rotating keys requires the 'admin' role.")
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toMatchObject([{ action: 'key.rotate', outcome: 'InsufficientPermissions' }])
  })

  it('changes and records nothing where the keys are not kept by this service', async () => {
    const at = openMemoryService()
    const error = new KeysNotRotatable('Change them where they are.')
    at.tokens.makeKey = () => Promise.reject(error)
    await expect(rotate(at)).rejects.toBe(error)
    expect(await auditOf(at)).toEqual([])
  })

  it('that fails after its record is followed by a record that says so', async () => {
    const at = openMemoryService()
    const error = new KeysNotRotatable('Make room on the disk.')
    at.tokens.makeKey = async () => ({ keyId: 'new', takeOver: () => Promise.reject(error) })
    await expect(rotate(at)).rejects.toBe(error)
    await at.useCases.refusals.flush()
    expect((await auditOf(at)).map(({ target, outcome }) => [target, outcome])).toEqual([
      ['new', 'done'],
      ['new', 'KeysNotRotatable'],
    ])
  })
})

describe('rotating the link keys', () => {
  const rotateSecret = ({ useCases }: Service, revoke = false, who = ADMIN) =>
    useCases.rotateSecret.execute({ revoke }, who)

  it('keeps those before for as long as a link can live, and is on record', async () => {
    const at = openMemoryService()
    const { keyId, verifyUntil = 0 } = await rotateSecret(at, false, operator('ops'))
    expect(verifyUntil).toBeGreaterThan(at.clock.now() + LONGEST_LINK_LIFE)
    expect(at.ports.linkKeys.current.id).toBe(keyId)
    expect(at.ports.linkKeys.find('1')?.timedUntil).toBe(verifyUntil)
    const revoked = await rotateSecret(at, true)
    expect(revoked.verifyUntil).toBeUndefined()
    expect(at.ports.linkKeys.find('1')).toBeUndefined()
    expect(await auditOf(at)).toMatchObject([
      { actor: 'operator:ops', action: 'secret.rotate', target: keyId, outcome: 'done', reason: undefined },
      { action: 'secret.rotate', target: revoked.keyId, outcome: 'done', reason: 'earlier keys revoked' },
    ])
  })

  it('leaves access tokens as they are, also when links are revoked', async () => {
    const at = openMemoryService()
    const token = await tokenOf(at)
    await rotateSecret(at, true)
    expect(await isGood(at, token)).toBe(true)
  })

  it('requires the role, and a refusal is recorded', async () => {
    const at = openMemoryService()
    await expect(rotateSecret(at, true, AUDITOR)).rejects.toThrow("Rotating keys requires the 'admin' role.")
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toMatchObject([{ action: 'secret.rotate', outcome: 'InsufficientPermissions' }])
    expect(at.ports.linkKeys.current.id).toBe('1')
  })
})
