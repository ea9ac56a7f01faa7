import { expect, it } from 'vitest'
import { Home } from './running-service.ts'

it('prints the form of this service, with the challenge where one is required', async () => {
  await using home = await Home.make({ PUBLIC_URL: 'https://news.example.com' })
  await home.run('migrate')
  const { code, stdout } = await home.run('feed', 'embed', 'default')
  expect([code, stdout]).toEqual([0, expect.stringContaining('action="https://news.example.com/subscribe"')])
  expect(stdout).not.toContain('<script')
  const challenged = await home.runWith({ CHALLENGE: 'altcha' }, 'feed', 'embed', 'default')
  expect(challenged.stdout).toContain('<script src="https://news.example.com/challenge.js" defer>')
})
