import path from 'node:path'
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

it('says where it has looked, and how to look elsewhere', async () => {
  await using home = await Home.make()
  const folder = path.join(home.folder, 'data')
  for (const verb of [['list'], ['list', '--json'], ['show', '--last']]) {
    const { code, stdout, stderr } = await home.run('mail', ...verb)
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain(`There is no data folder ${folder}. `)
    expect(stderr).toContain('ROLLCALL_DATA_DIR')
  }
  await home.run('migrate')
  const { code, stderr } = await home.run('mail', 'list')
  expect([code, stderr]).toEqual([0, expect.stringContaining(`in ${path.join(folder, 'mail')}. `)])
})
