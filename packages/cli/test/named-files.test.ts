import { chmod, lchown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { OPERATOR, openTestCli } from './terminal.ts'

const folder = temporaryFolder()
const LONG = 'x'.repeat(300)

describe('a file to read', () => {
  beforeEach(async () => {
    await folder.write('file', '')
    await mkdir(folder.path('folder'))
    await symlink('loop', folder.path('loop'))
  })

  const READERS: readonly (readonly string[])[] = [
    ['user', 'delete', '--yes', '--from'],
    ['user', 'delete', '--yes', '--apply'],
    ['feed', 'put', 'news', '--wording-file'],
    ['subscription', 'import'],
    ['subscription', 'import', '--format', 'csv'],
    ['user', 'import', '--format', 'csv'],
    ['feed', 'logo', 'news'],
    ['user', 'list', '--server', 'https://a.example', '--token-file'],
    ['doctor', '--token'],
  ]

  it.each([
    ['nosuch', 'There is no such file.'],
    ['folder', ' a folder'],
    ['file/x', 'A part of its path is not a folder.'],
    [LONG, 'Its name is too long.'],
    ['loop', 'It is a link that leads to itself.'],
  ])('is refused with the reason: %s', async (name, why) => {
    const { run, opened } = openTestCli()
    for (const argv of READERS) {
      const { exitCode, stderr } = await run([...argv, folder.path(name)])
      expect([argv, exitCode, stderr]).toEqual([argv, 2, expect.stringMatching(/^error: /)])
      if (argv[3] !== '--apply' || name !== 'folder')
        expect([argv, stderr]).toEqual([argv, expect.stringContaining(why)])
    }
    expect(opened.times).toBeLessThan(READERS.length)
  })

  describe.skipIf(process.platform === 'win32')('that is a socket', () => {
    const server = createServer()
    beforeEach(async () => await new Promise<void>((resolve) => server.listen(folder.path('socket'), resolve)))
    afterEach(async () => await new Promise<void>((resolve) => server.close(() => resolve())))

    it('is refused, too', async () => {
      const { run } = openTestCli()
      for (const argv of READERS) {
        const { exitCode, stderr } = await run([...argv, folder.path('socket')])
        const reason = /add --format|is not a (?:regular )?file/
        expect([argv, exitCode, stderr]).toEqual([argv, 2, expect.stringMatching(reason)])
      }
    })
  })
})

describe('a file to write', () => {
  const WRITERS: readonly (readonly string[])[] = [
    ['user', 'delete', 'ada', '--plan'],
    ['subscription', 'export', '--output'],
    ['subscription', 'import', 'file.csv', '--report'],
    ['backup'],
    ['restore', 'copy.db', '--yes', '--keep'],
  ]

  it('has a name', async () => {
    const { run, opened } = openTestCli()
    for (const argv of WRITERS)
      expect([argv, await run([...argv, ''])]).toEqual([
        argv,
        { exitCode: 2, stdout: '', stderr: 'error: The name of the file to write is empty. Give one.\n' },
      ])
    expect(opened.times).toBe(0)
  })

  it.each(['subscription', 'suppression', 'user'])('is not the one that is imported: %s', async (noun) => {
    const rows = await folder.write('rows.csv', 'email\nada@example.com\n')
    const { exitCode, stderr } = await openTestCli().run([noun, 'import', rows, '--report', rows])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('is the file that is imported'),
    })
    expect(await readFile(rows, 'utf8')).toBe('email\nada@example.com\n')
  })

  it('is refused with the reason', async () => {
    const { run } = openTestCli()
    await symlink('loop', folder.path('loop'))
    for (const [name, why] of [
      [LONG, 'Its name is too long.'],
      ['loop', 'It is a link that leads to itself.'],
    ] as const)
      expect(await run(['subscription', 'export', '--output', folder.path(name)])).toMatchObject({
        exitCode: 4,
        stderr: `error: Cannot write '${folder.path(name)}'. ${why}\n`,
      })
  })
})

// In a folder that several may write to, another could have made a link of the name that is about to be written.
describe.skipIf(process.platform === 'win32')('a file to write in a shared folder', () => {
  const STRANGER = 65_534
  /** Root makes it another's; anyone else becomes another. */
  const strangersLink = async (target: string, file: string) => {
    await symlink(target, file)
    if (process.geteuid?.() === 0) return await lchown(file, STRANGER, STRANGER)
    const self = vi.spyOn(process, 'geteuid').mockReturnValue(STRANGER)
    onTestFinished(() => self.mockRestore())
  }

  const shared = async () => {
    const place = folder.path('shared')
    await mkdir(place)
    await chmod(place, 0o777)
    await mkdir(folder.path('home'))
    await writeFile(folder.path('home/.bashrc'), 'mine')
    return place
  }

  const WRITERS: readonly (readonly string[])[] = [
    ['user', 'delete', 'ada', '--plan'],
    ['user', 'delete', 'ada', '--yes', '--report'],
    ['user', 'import', 'ROWS', '--report'],
    ['recipient', 'list', 'default', '--output'],
    ['subscription', 'export', '--output'],
    ['subscription', 'import', 'ROWS', '--report'],
    ['suppression', 'import', 'ROWS', '--report'],
  ]

  it.each([
    ['the file itself', '../home/.bashrc', ''],
    ['a file that is not there', '../home/none', ''],
    ['a folder on the way', '../home', '/out.csv'],
  ])("is not one that another user's link leads to: %s", async (_, target, rest) => {
    const place = await shared()
    const rows = await folder.write('rows.csv', 'email\nada@example.com\n')
    await strangersLink(target, `${place}/out.csv`)
    for (const argv of WRITERS) {
      const { run, useCases } = openTestCli()
      await useCases.putUser.execute({ userId: 'ada', email: 'ada@example.com', name: '', roles: [] }, OPERATOR)
      const { exitCode, stderr } = await run([
        ...argv.map((word) => (word === 'ROWS' ? rows : word)),
        `${place}/out.csv${rest}`,
      ])
      expect([argv, exitCode, stderr]).toEqual([argv, expect.toBeOneOf([2, 4]), expect.stringMatching(/^error: /)])
      expect(stderr).toMatch(/is a link of another user|There is a '/)
    }
    expect(await readFile(folder.path('home/.bashrc'), 'utf8')).toBe('mine')
    expect(await readdir(folder.path('home'))).toEqual(['.bashrc'])
    expect(await readdir(place)).toEqual(['out.csv'])
  })
})
