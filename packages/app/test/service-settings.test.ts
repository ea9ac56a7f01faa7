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
  expect((await home.run('doctor')).stdout).toContain('ROLLCALL_DELETE_GRACE is not as where the service was started')
  expect((await home.runWith({ DELETE_GRACE: '1h' }, 'doctor')).stdout).not.toContain('DELETE_GRACE')
})

it('a command writes links to where the service is, whatever its own environment', async () => {
  await using home = await Home.make()
  const url = 'https://news.example.com'
  const service = await home.serveInProcess({ PUBLIC_URL: url })
  await service.stop()
  await home.run('feed', 'put', 'news')
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
