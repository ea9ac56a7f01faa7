import { expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { openTestCli } from './terminal.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'

const folder = temporaryFolder()

const opened = async () => {
  const cli = openTestCli()
  const record = async () => JSON.parse((await cli.run(['feed', 'show', 'news', '--json'])).stdout)
  await cli.run(['feed', 'put', 'news'])
  return { ...cli, record }
}

it('sets accent and welcome, and keeps them where they are not given', async () => {
  const { run, record } = await opened()
  await run(['feed', 'put', 'news', '--accent', '#7A1F5C', '--welcome'])
  expect(await record()).toMatchObject({ accent: '#7a1f5c', welcome: true })
  await run(['feed', 'put', 'news', '--title', 'News'])
  expect(await record()).toMatchObject({ accent: '#7a1f5c', welcome: true })
  expect((await run(['feed', 'show', 'news'])).stdout).toMatch(/^Accent +#7a1f5c\nWelcome +by a mail$/m)
  await run(['feed', 'set', 'news', '--accent', '', '--no-welcome'])
  expect(await record()).toMatchObject({ accent: null, welcome: false })
  expect(await run(['feed', 'set', 'news', '--accent', 'red'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('#1a56b0'),
  })
})

it('gives a logo, and takes it away', async () => {
  const { run, record } = await opened()
  await folder.write('logo.svg', SVG)
  await folder.write('evil.svg', SVG.replace('<path', '<path onclick="x"'))
  await folder.write('large.png', Buffer.alloc(65_537))
  expect(await run(['feed', 'logo', 'news', folder.path('logo.svg')])).toMatchObject({ exitCode: 0, stderr: '' })
  expect((await record()).logo).toBe('image/svg+xml')
  for (const [name, says] of [
    ['evil.svg', 'event handler'],
    ['large.png', '64 KiB'],
    ['none.png', 'no such file'],
  ] as const)
    expect(await run(['feed', 'logo', 'news', folder.path(name)])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(says),
    })
  expect((await run(['feed', 'logo', 'news'])).exitCode).toBe(2)
  expect((await run(['feed', 'logo', 'news', '--remove'])).exitCode).toBe(0)
  expect((await record()).logo).toBeNull()
  expect((await run(['feed', 'logo', 'news', '--remove'])).exitCode).toBe(3)
})

it('says its own words, one language at a time', async () => {
  const { run, record } = await opened()
  await run(['feed', 'words', 'news', '--greeting', 'Hi,', '--confirmed-text', 'One\nTwo', '--footer', 'Ltd'])
  await run(['feed', 'words', 'news', '--language', 'de', '--greeting', 'Moin,', '--footer', 'GmbH'])
  await run(['feed', 'words', 'news', '--greeting', ''])
  expect(await record()).toMatchObject({
    words: { en: { confirmed_text: 'One\nTwo' }, de: { greeting: 'Moin,' } },
    footer: { en: 'Ltd', de: 'GmbH' },
  })
  expect((await run(['feed', 'words', 'news', '--language', 'de'])).stdout).toMatch(
    /^greeting +Moin,$[\s\S]*^footer +GmbH$/m,
  )
  expect(JSON.parse((await run(['feed', 'words', 'news', '--json'])).stdout)).toEqual({
    language: 'en',
    words: { confirmed_text: 'One\nTwo' },
    footer: 'Ltd',
  })
})

it('shows pages and mails, writes them, and sends a mail', async () => {
  const { run, transport } = await opened()
  await folder.write('logo.svg', SVG)
  await run(['feed', 'logo', 'news', folder.path('logo.svg')])
  const confirm = (await run(['feed', 'preview', 'news', '--page', 'confirm', '--language', 'de'])).stdout
  expect(confirm).toContain('<html lang="de"')
  expect(confirm).toContain('data:image/svg+xml')
  const welcome = ['feed', 'preview', 'news', '--mail', 'welcome']
  expect((await run(welcome)).stdout).toContain('/unsubscribe/preview')
  await run([...welcome, '--out', folder.path('mail.eml')])
  expect(await folder.read('mail.eml')).toMatch(/^Message-ID: <0\./)
  expect((await run([...welcome, '--out', folder.path('mail.eml')])).exitCode).toBe(2)
  expect((await run([...welcome, '--to', 'me@example.com'])).stdout).toBe(
    'Sent the welcome mail of feed news to me@example.com.\n',
  )
  expect(transport.mails).toMatchObject([{ to: 'me@example.com', kind: 'welcome' }])
  for (const wrong of [
    [],
    ['--mail', 'x'],
    ['--mail', 'welcome', '--page', 'confirm'],
    ['--page', 'confirm', '--to', 'a@b.example'],
  ])
    expect((await run(['feed', 'preview', 'news', ...wrong])).exitCode).toBe(2)
})
