import { mkdir, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { openTestCli } from './terminal.ts'

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
