import { CliError, ExitCode, type MailFiles, type WrittenMail } from '@rollcall/cli'
import { OperatorError } from '@rollcall/platform-node'
import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const CONFIRM = `https://news.example.com/confirm/${'0123456789'.repeat(12)}`
const UNSUBSCRIBE = 'https://news.example.com/unsubscribe/1.abc'

const mail = (id: string, other: Partial<WrittenMail> = {}): WrittenMail => ({
  id,
  file: `/data/mail/${id}.eml`,
  at: 1_000,
  from: 'Rollcall <no-reply@localhost>',
  to: `${id}@example.com`,
  subject: 'Please confirm: default',
  text: `Hello,\n\n${CONFIRM}\n`,
  html: `<a href="${CONFIRM}">Yes</a>`,
  links: [
    { name: 'confirm', url: CONFIRM },
    { name: 'unsubscribe', url: UNSUBSCRIBE },
  ],
  ...other,
})

class NotUsable extends OperatorError {
  override readonly name: string

  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

const openWith = (...mails: readonly WrittenMail[]) => {
  const files: MailFiles = {
    folder: '/data/mail',
    ids: async () => mails.map(({ id }) => id),
    find: async (wanted) => mails.find(({ id }) => id === wanted),
  }
  return openTestCli({ mailFiles: async () => files })
}

describe('rollcall mail', () => {
  it('lists what was written, oldest first, and opens no database for it', async () => {
    const { run, opened } = openWith(mail('a.1'), mail('b.2', { subject: '\u001b[2J' }))
    const { exitCode, stdout } = await run(['mail', 'list'])
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'WRITTEN', 'TO', 'SUBJECT'],
      ['a.1', '1970-01-01T00:00:01Z', 'a.1@example.com', 'Please confirm: default'],
      ['b.2', '1970-01-01T00:00:01Z', 'b.2@example.com', '\\u001b[2J'],
      [''],
    ])
    expect((await run(['mail', 'list', '--limit', '1'])).stdout).not.toContain('a.1')
    expect(opened.times).toBe(0)
  })

  it('lists them as one document for machines', async () => {
    const links = [
      { name: 'confirm', url: CONFIRM },
      { name: 'unsubscribe', url: UNSUBSCRIBE },
    ]
    const { stdout } = await openWith(mail('a.1'), mail('b.2')).run(['mail', 'list', '--json'])
    const { items } = JSON.parse(stdout)
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['a.1', 'b.2'])
    expect(items[0]).toMatchObject({ file: '/data/mail/a.1.eml', written_at: '1970-01-01T00:00:01.000Z', links })
    expect(JSON.parse((await openWith().run(['mail', 'list', '--json'])).stdout)).toEqual({ items: [] })
  })

  it('prints the link of each kind of mail', async () => {
    for (const name of ['move', 'undo']) {
      const url = `https://news.example.com/${name}/1.abc`
      const { run } = openWith(mail('a.1', { links: [{ name, url }] }))
      expect((await run(['mail', 'show', '--last', '--link', name])).stdout).toBe(`${url}\n`)
    }
  })

  it('leaves out one that is removed while it lists', async () => {
    const files: MailFiles = {
      folder: '/data/mail',
      ids: async () => ['gone.1', 'a.1'],
      find: async (id) => (id === 'a.1' ? mail(id) : undefined),
    }
    const { run } = openTestCli({ mailFiles: async () => files })
    const { exitCode, stdout } = await run(['mail', 'list', '--json'])
    expect([exitCode, JSON.parse(stdout).items]).toMatchObject([0, [{ id: 'a.1' }]])
  })

  describe('with files among them that are no mails', () => {
    const openAmong = (...ids: readonly string[]) => {
      const files: MailFiles = {
        folder: '/data/mail',
        ids: async () => ids,
        find: async (id) => {
          if (id.startsWith('foreign')) throw new NotUsable('NotAMail', `${id} is no mail.`)
          if (id.startsWith('closed')) throw new NotUsable('MailNotReadable', `${id} cannot be read.`)
          return mail(id)
        },
      }
      return openTestCli({ mailFiles: async () => files })
    }
    const idsIn = (stdout: string) => JSON.parse(stdout).items.map(({ id }: { id: string }) => id)

    it('lists the others as a whole document, and names them', async () => {
      const { run } = openAmong('foreign.1', 'a.1', 'foreign.2', 'b.2', 'foreign.3')
      const { exitCode, stdout, stderr } = await run(['mail', 'list', '--json'])
      expect([exitCode, idsIn(stdout)]).toEqual([0, ['a.1', 'b.2']])
      expect(stderr).toBe([1, 2, 3].map((n) => `warning: foreign.${n} is no mail.\n`).join(''))
      expect((await run(['mail', 'list'])).stdout).toMatch(/^ID.*\na\.1 .*\nb\.2 .*\n$/)
    })

    it('counts and shows the newest that are mails', async () => {
      const { run } = openAmong('a.1', 'b.2', 'c.3', 'foreign.1')
      expect(idsIn((await run(['mail', 'list', '--limit', '2', '--json'])).stdout)).toEqual(['b.2', 'c.3'])
      expect(await run(['mail', 'show', '--last', '--link', 'confirm'])).toEqual({
        exitCode: 0,
        stdout: `${CONFIRM}\n`,
        stderr: 'warning: foreign.1 is no mail.\n',
      })
    })

    it('exits 4 where it cannot know whether something is a mail', async () => {
      const { run } = openAmong('a.1', 'closed.1')
      const { exitCode, stdout, stderr } = await run(['mail', 'list', '--json'])
      expect([exitCode, idsIn(stdout), stderr]).toEqual([4, ['a.1'], 'warning: closed.1 cannot be read.\n'])
      expect(await run(['mail', 'show', '--last'])).toMatchObject({ exitCode: 4, stdout: '' })
    })

    it('says that there is no mail where there is nothing else', async () => {
      const { run } = openAmong('foreign.1')
      expect(await run(['mail', 'list'])).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: expect.stringContaining('\nNo mail has been written to a file in /data/mail. '),
      })
      expect(await run(['mail', 'show', '--last'])).toMatchObject({ exitCode: 3 })
    })
  })

  it('lists more than a page of them', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `a.${n}`)
    const { run } = openWith(...ids.map((id) => mail(id)))
    const { items } = JSON.parse((await run(['mail', 'list', '--json'])).stdout)
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect((await run(['mail', 'list'])).stdout.split('\n')).toHaveLength(252)
  })

  it('shows one by its id, or the last, with whole links on a narrow terminal', async () => {
    const { run } = openWith(mail('a.1'), mail('b.2'))
    const { exitCode, stdout } = await run(['mail', 'show', '--last'], { answers: [] })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('To: b.2@example.com\nSubject: Please confirm: default\n')
    expect(stdout.split('\n')).toContain(CONFIRM)
    expect(stdout).toContain(`\nunsubscribe: ${UNSUBSCRIBE}\n`)
    expect((await run(['mail', 'show', 'a.1'])).stdout).toContain('To: a.1@example.com')
    const { text, html } = JSON.parse((await run(['mail', 'show', 'a.1', '--json'])).stdout)
    expect([text, html]).toEqual([mail('a.1').text, mail('a.1').html])
  })

  it('prints one link alone, or says which there are', async () => {
    const { run } = openWith(mail('a.1'))
    expect((await run(['mail', 'show', '--last', '--link', 'confirm'])).stdout).toBe(`${CONFIRM}\n`)
    expect(await run(['mail', 'show', '--last', '--link', 'preferences'])).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: "error: The mail 'a.1' has no link to preferences. It has: confirm, unsubscribe.\n",
    })
  })

  it('makes what would act on a terminal visible, in every line', async () => {
    const { run } = openWith(mail('a.1', { text: 'one\u001b[2J\n\u202etwo\n', to: '\u001b]0;x' }))
    const { stdout } = await run(['mail', 'show', '--last'])
    expect(stdout).toContain('one\\u001b[2J\n\\u202etwo\n')
    expect(stdout).toContain('To: \\u001b]0;x\n')
  })

  it('says what to do where there is nothing to show, or mails are sent', async () => {
    const { run } = openWith()
    expect(await run(['mail', 'list'])).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('in /data/mail.'),
    })
    expect(await run(['mail', 'show', '--last'])).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('No mail'),
    })
    expect((await run(['mail', 'show', 'x.1'])).stderr).toContain("no mail 'x.1'")
    for (const argv of [
      ['mail', 'show'],
      ['mail', 'show', 'a.1', '--last'],
    ])
      expect((await run(argv)).exitCode).toBe(2)
    const sent = openTestCli({
      mailFiles: async () => {
        throw new CliError('They are sent.', { name: 'MailsAreSent', exitCode: ExitCode.refused })
      },
    })
    expect(await sent.run(['mail', 'list'])).toMatchObject({ exitCode: 3, stderr: 'error: They are sent.\n' })
  })
})
