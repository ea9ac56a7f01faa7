import { expect, it } from 'vitest'
import { Home } from './running-service.ts'

it('says where mails go that are no files, and shows nothing of the account there', async () => {
  await using home = await Home.make({ SMTP_URL: 'smtps://postmaster:hunter2@mail.example.com' })
  for (const verb of [['list'], ['show', '--last']]) {
    const { code, stdout, stderr } = await home.run('mail', ...verb)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^error: Mails are not files here: ROLLCALL_SMTP_URL has them sent by mail\.example\.com\. /)
    expect(stderr).not.toMatch(/hunter2|postmaster/)
  }
})
