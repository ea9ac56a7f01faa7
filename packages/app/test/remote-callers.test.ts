import { afterEach, beforeEach, expect, it } from 'vitest'
import { openKeys, ownTokenIssuer } from '../src/access-tokens.ts'
import { OPERATOR, RemoteService, runAway } from './remote-service.ts'

let service: RemoteService
beforeEach(async () => {
  service = await RemoteService.open()
})
afterEach(() => service[Symbol.asyncDispose]())

/** Signed with the keys of the service, without its own checks: a genuine token, whatever it says. */
const signed = async (subject: string, roles: readonly string[], feeds?: readonly string[]) => {
  const issuer = ownTokenIssuer(await openKeys(service.composition.config), service.composition.clock)
  return (await issuer.issue({ subject, roles, feeds, lifetime: 60 })).token
}
const list = async (noun: string, token: string) => {
  const argv = [noun, 'list', '--json', '--server', service.url, '--token', token]
  const { exitCode, stderr } = await runAway(argv)
  return exitCode === 0 ? 'done' : `${exitCode} ${JSON.parse(stderr).error}`
}

it('no caller is an operator by name over the command line with --server', async () => {
  for (const subject of ['operator:root', 'Operator:root', OPERATOR.id])
    expect(await list('user', await signed(subject, ['admin']))).toBe('3 Unauthenticated')
  expect(await list('user', await signed('root', ['admin']))).toBe('done')
})

it('nothing of other feeds is read with a token that is bound to feeds, once it is stored as an auditor alone', async () => {
  const token = await signed('mailer', ['sender'], ['weekly'])
  const put = { userId: 'mailer', email: 'mailer@example.com', name: '' }
  await service.composition.useCases.putUser.execute({ ...put, roles: ['auditor'] }, OPERATOR)
  for (const noun of ['user', 'subscription', 'feed', 'suppression', 'audit'])
    expect([noun, await list(noun, token)]).toEqual([noun, '3 InsufficientPermissions'])
  expect(await list('subscription', await signed('mailer', []))).toBe('done')
})
