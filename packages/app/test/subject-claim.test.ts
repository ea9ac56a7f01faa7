import { operator } from '@rollcall/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openComposition } from '../src/composition.ts'
import { readConfig } from '../src/config.ts'
import { silentLog } from '../src/log.ts'
import { diagnosed } from './diagnosed.ts'
import { Home } from './running-service.ts'

const PROVIDER = { AUTH_ISSUER: 'https://id.example.com', AUTH_AUDIENCE: 'rollcall' }
const OPERATOR = operator('test')

describe('the claim that says whose a token is', () => {
  let home: Home
  beforeEach(async () => {
    home = await Home.make({ LOG_LEVEL: 'silent' })
    expect((await home.run('migrate')).code).toBe(0)
  })
  afterEach(() => home[Symbol.asyncDispose]())

  const configWith = (settings: Readonly<Record<string, string>>) => readConfig(home.environment(settings))
  const openWith = (settings: Readonly<Record<string, string>>) => openComposition(configWith(settings), silentLog)
  const worksWith = async (settings: Readonly<Record<string, string>>) => await (await openWith(settings)).close()
  const deleteOne = async () => {
    const { useCases, close } = await openWith({})
    await useCases.putUser.execute({ userId: 'ada', email: 'a@example.com', name: '', roles: [] }, OPERATOR)
    await useCases.deleteUser.execute({ userId: 'ada' }, OPERATOR)
    await close()
  }

  it('is remembered by the database, which refuses another', async () => {
    await worksWith({ ...PROVIDER, AUTH_SUBJECT_CLAIM: 'oid' })
    await worksWith({ ...PROVIDER, AUTH_SUBJECT_CLAIM: 'oid' })
    for (const claim of ['', 'sub', 'employee'])
      await expect(worksWith({ ...PROVIDER, AUTH_SUBJECT_CLAIM: claim })).rejects.toThrow(
        /^ROLLCALL_AUTH_SUBJECT_CLAIM is '\w+', but this database was begun with 'oid'\. .*Set ROLLCALL_AUTH_SUBJECT_CLAIM back/,
      )
  })

  it('refuses with exit code 4, and the doctor says so', async () => {
    await worksWith(PROVIDER)
    const settings = { ...PROVIDER, AUTH_SUBJECT_CLAIM: 'oid' }
    const { code, stderr } = await home.runWith(settings, 'user', 'list')
    expect([code, stderr]).toEqual([4, expect.stringContaining("but this database was begun with 'sub'")])
    const order = { sendTo: undefined, environment: home.environment(settings) }
    const { texts } = await diagnosed('access tokens', order)
    const found = 'failed: ROLLCALL_AUTH_SUBJECT_CLAIM is oid, but this database was begun with sub.'
    expect(texts.at(-1)).toContain(found)
  })

  it('is not remembered without an identity provider, also if users were deleted meanwhile', async () => {
    await deleteOne()
    await worksWith({ ...PROVIDER, AUTH_SUBJECT_CLAIM: 'oid' })
  })
})
