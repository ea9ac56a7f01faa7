import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, vi } from 'vitest'
import { compose, openService, readConfig, silentLog } from '../src/index.ts'
import { recallServiceSettings } from '../src/service-settings.ts'
import { Home } from './running-service.ts'

/** A service with a grace in its environment alone, and a folder that says nothing of it. */
const withGrace = async () => {
  const home = await Home.make()
  const service = await home.serveInProcess({ DELETE_GRACE: '1h' })
  for (const id of ['ada', 'bob', 'eve']) await home.run('user', 'put', id, '--email', `${id}@example.com`)
  return { home, service }
}

it('a command deletes with the grace of the service, whatever its own environment', async () => {
  const { home, service } = await withGrace()
  await using _ = home
  expect((await home.run('user', 'delete', 'ada', '--yes')).stdout).toContain('`rollcall user restore ada` undoes it')
  await service.stop()
  expect((await home.run('user', 'delete', 'bob', 'eve', '--yes')).stdout).toContain('undoes it')
  expect(await home.run('user', 'restore', 'bob')).toMatchObject({ code: 0 })
  const found = async (settings = {}) => (await home.runWith(settings, 'doctor')).stdout
  expect(await found()).toContain('ROLLCALL_DELETE_GRACE is 0s here, and was 3600s where the service was started')
  expect(await found()).toContain('Commands go by the longer one.')
  const same = await found({ DELETE_GRACE: '1h' })
  expect([same.includes('audit trail'), same.includes('DELETE_GRACE')]).toEqual([true, false])
})

it('a command writes links to where the service is, whatever its own environment', async () => {
  await using home = await Home.make()
  const url = 'https://news.example.com'
  const service = await home.serveInProcess({ PUBLIC_URL: url })
  await service.stop()
  await home.run('feed', 'put', 'news')
  expect((await home.run('feed', 'embed', 'news')).stdout).toContain(`action="${url}/subscribe"`)
  expect((await home.run('feed', 'preview', 'news', '--mail', 'confirmation')).stdout).toContain(`${url}/confirm/`)
})

it('a plan is refused if a deletion can be undone for another time by now', async () => {
  const { home, service } = await withGrace()
  await using _ = home
  expect((await home.run('user', 'delete', 'ada', '--plan', 'ada.plan')).stdout).toContain('undoes it for 1 h')
  await service.stop()
  await home.serveInProcess()
  const applied = await home.run('user', 'delete', '--apply', 'ada.plan', '--yes')
  expect(applied).toMatchObject({ code: 3, stdout: expect.stringContaining('how long a deletion can be undone') })
  expect((await home.run('user', 'delete', 'ada', '--dry-run')).stdout).toContain('Nothing undoes it.')
  expect((await home.run('user', 'delete', 'ada', '--yes')).stdout).toContain('Nothing undoes it.')
})

/** A service in the process of a host, with a grace that its folder says nothing of. */
const embedded = async (home: Home, grace = '1h') => {
  const error = vi.fn()
  const config = readConfig({ ROLLCALL_DATA_DIR: `${home.folder}/data`, ROLLCALL_DELETE_GRACE: grace })
  const service = await openService(compose(config, { ...silentLog, error }))
  return { service, error, noted: async () => (await recallServiceSettings(service.storage)).DELETE_GRACE }
}

it('commands beside a host go by its settings from when its server listens', async () => {
  await using home = await Home.make()
  const { service, noted } = await embedded(home)
  const server = createServer()
  await service.start(server)
  expect(await noted()).toBeUndefined()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await service.close()
  await home.run('user', 'put', 'ada', '--email', 'ada@example.com')
  expect((await home.run('user', 'delete', 'ada', '--yes')).stdout).toContain('`rollcall user restore ada` undoes it')
})

it('they do so at once if its server listens already, or if it has none', async () => {
  await using home = await Home.make()
  const first = await embedded(home)
  await first.service.start()
  expect(await first.noted()).toBe(3_600_000)
  await first.service.close()
  const second = await embedded(home, '2h')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  await second.service.start(server)
  expect(await second.noted()).toBe(7_200_000)
  server.close()
  await second.service.close()
})

it('a host whose settings could not be noted when its server listened goes on, and says so', async () => {
  await using home = await Home.make()
  const { service, error } = await embedded(home)
  const server = createServer()
  await service.start(server)
  await service.close()
  server.emit('listening')
  await vi.waitFor(() => expect(error).toHaveBeenCalledOnce())
})
