import { expect, it } from 'vitest'
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
