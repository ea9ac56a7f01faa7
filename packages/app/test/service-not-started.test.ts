import { mkdir, writeFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { compose, createLog, openService, readConfig } from '../src/index.ts'
import { TOKENS } from '../src/tokens.ts'
import { Home } from './running-service.ts'

it('knows of keys that were revoked, and writes down refusals, without being started', async () => {
  await using home = await Home.make()
  const config = readConfig({ ROLLCALL_DATA_DIR: `${home.folder}/data`, ROLLCALL_LOG_LEVEL: 'silent' })
  const service = await openService(compose(config, await createLog(config)))
  const { useCases } = service
  const token = await home.token('eve', 'auditor')
  const enter = () => useCases.authenticate.execute({ token, channel: 'http' })
  await expect(useCases.deleteUser.execute({ userId: 'ada' }, await enter())).rejects.toThrow()
  expect((await home.run('key', 'rotate', '--revoke')).code).toBe(0)
  const entering = () =>
    enter().then(
      () => 'let in',
      () => 'refused',
    )
  await expect.poll(entering).toBe('refused')
  await service.close()
  const { stdout } = await home.run('audit', 'list', '--action', 'user.delete', '--json')
  expect(JSON.parse(stdout).items).toMatchObject([{ actor: 'eve', outcome: 'InsufficientPermissions' }])
})

it('is opened whole, or leaves nothing open', async () => {
  await using home = await Home.make()
  const config = readConfig({ ROLLCALL_DATA_DIR: `${home.folder}/data`, ROLLCALL_LOG_LEVEL: 'silent' })
  await home.run('migrate')
  await mkdir(`${home.folder}/data/pages`)
  await writeFile(`${home.folder}/data/pages/en.json`, '{"nothing":"of this name"}')
  const container = compose(config, await createLog(config))
  const close = vi.spyOn(await container.getAsync(TOKENS.storage), 'close')
  await expect(openService(container)).rejects.toThrow(/pages/)
  expect(close).toHaveBeenCalledOnce()
})

it('is started once, also at the same time', async () => {
  await using home = await Home.make()
  const config = readConfig({ ROLLCALL_DATA_DIR: `${home.folder}/data`, ROLLCALL_LOG_LEVEL: 'silent' })
  const service = await openService(compose(config, await createLog(config)))
  const starts = await Promise.allSettled([service.start(), service.start()])
  expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await service.close()
})
