import { chmod, stat, symlink } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'
import { jsonLines, OPERATOR, openTestCli, Screen } from './terminal.ts'

const SOURCE = { via: 'form', clientAddress: undefined, userAgent: undefined }

describe('rollcall subscription export', () => {
  const folder = temporaryFolder()

  const withTwo = async () => {
    const cli = openTestCli()
    await cli.useCases.putFeed.execute({ name: 'news', title: 'News' }, OPERATOR)
    await cli.useCases.subscribe.execute({ email: 'a@example.com', name: '=A', source: SOURCE })
    await cli.useCases.subscribe.execute({ email: 'b@example.com', feed: 'news', source: SOURCE })
    return cli
  }

  it('writes NDJSON to standard output, and nothing else', async () => {
    const { run } = await withTwo()
    const { exitCode, stdout, stderr } = await run(['subscription', 'export'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(jsonLines(stdout)).toMatchObject([
      { email: 'a@example.com', consent: [{ deed: 'requested' }] },
      { email: 'b@example.com', feed: 'news' },
    ])
  })

  it('writes CSV of one feed and one status', async () => {
    const { run } = await withTwo()
    const argv = ['subscription', 'export', '--format', 'csv', '--feed', 'default', '--status', 'pending']
    const { stdout } = await run(argv)
    expect(stdout).toMatch(/^email,name,id,[^\n]+\r\na@example.com,'=A,\d+,default,pending,[^\n]+\r\n$/)
  })

  it('shows a terminal no character that it would act on', async () => {
    const { run, useCases } = openTestCli()
    await useCases.subscribe.execute({ email: 'a@example.com', name: 'A\u202eB', source: SOURCE })
    const onTerminal = await run(['subscription', 'export'], { stdout: new Screen({ isTTY: true }) })
    expect(onTerminal.stdout).not.toContain('\u202e')
    expect(jsonLines(onTerminal.stdout)).toMatchObject([{ name: 'A\u202eB' }])
    expect((await run(['subscription', 'export'])).stdout).toContain('\u202e')
  })

  it('replaces no file without being told to', async () => {
    const { run } = await withTwo()
    const path = await folder.write('members.csv', 'before')
    const { exitCode, stderr } = await run(['subscription', 'export', '--output', path])
    const message = `error: There is a '${path}' already. Give another name, remove it, or add --replace.\n`
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: message })
    expect(await folder.read('members.csv')).toBe('before')
  })

  it('writes a file that only its owner can read, which takes the place of the one before', async () => {
    const { run } = await withTwo()
    const path = await folder.write('out.ndjson', 'before')
    await chmod(path, 0o644)
    const { exitCode, stdout } = await run(['subscription', 'export', '--output', path, '--replace'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Wrote 2 subscriptions to ${path}.\n` })
    expect(jsonLines(await folder.read('out.ndjson'))).toHaveLength(2)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await folder.list()).toEqual(['out.ndjson'])
  })

  it('shows machines how many there were', async () => {
    const { run } = await withTwo()
    const path = folder.path('out.csv')
    const { stdout } = await run(['subscription', 'export', '--format', 'csv', '--output', path, '--json'])
    expect(jsonLines(stdout)).toEqual([{ file: path, rows: 2 }])
  })

  it('follows a link to the file that it leads to', async () => {
    const { run } = await withTwo()
    await folder.write('real', '')
    await symlink('real', folder.path('link'))
    await run(['subscription', 'export', '--replace', '--output', folder.path('link')])
    expect(jsonLines(await folder.read('real'))).toHaveLength(2)
    expect((await folder.list()).sort()).toEqual(['link', 'real'])
  })

  it.each([
    ['a folder that is not there', 4, 'nowhere/out', /There is no such folder/],
    ['a folder', 2, '.', /is not a regular file/],
  ])('says why it cannot write to %s, and exits %i', async (_, code, name, sentence) => {
    const { run, opened } = openTestCli()
    const { exitCode, stderr } = await run(['subscription', 'export', '--output', folder.path(name)])
    expect(exitCode).toBe(code)
    expect(stderr).toMatch(sentence)
    expect(opened.times).toBe(opened.closed)
  })

  it('replaces no device', async () => {
    const { exitCode, stderr } = await openTestCli().run(['subscription', 'export', '--output', '/dev/null'])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/is not a regular file/)
  })

  it.each([
    ['--feed', 'nowhere'],
    ['--status', 'gone'],
    ['--format', 'xml'],
  ])('exits 2 and leaves what was there where %s is %s', async (option, value) => {
    const { run } = await withTwo()
    const path = await folder.write('out', 'before')
    const { exitCode } = await run(['subscription', 'export', '--replace', '--output', path, option, value])
    expect(exitCode).toBe(2)
    expect(await folder.read('out')).toBe('before')
    expect(await folder.list()).toEqual(['out'])
  })

  it('exits 130 when it is interrupted, and leaves what was there', async () => {
    const { run, opened } = await withTwo()
    const path = await folder.write('out', 'before')
    const { exitCode, stderr } = await run(['subscription', 'export', '--replace', '--output', path], {
      signal: AbortSignal.abort(),
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: Interrupted.\n' })
    expect(await folder.read('out')).toBe('before')
    expect(await folder.list()).toEqual(['out'])
    expect(opened.closed).toBe(1)
  })

  it('ends quietly when its reader has had enough', async () => {
    const { run, useCases } = openTestCli()
    for (let n = 0; n < 1_500; n++) await useCases.subscribe.execute({ email: `${n}@example.com`, source: SOURCE })
    class Closed extends Screen {
      override _write(_chunk: unknown, _encoding: unknown, done: Parameters<Writable['_write']>[2]): void {
        done(Object.assign(new Error('gone'), { code: 'EPIPE' }))
      }
    }
    const { exitCode, stderr } = await run(['subscription', 'export'], { stdout: new Closed() })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })
})
