import { mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Mail } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { createFileTransport, WrittenMails } from '../src/index.ts'
import {
  confirmation,
  feed,
  LINKS,
  MOVE,
  move,
  moved,
  PREFERENCES,
  preferences,
  SETTINGS,
  temporaryFolder,
  UNDO,
} from './mails.ts'

const open = async () => {
  const folder = path.join(await temporaryFolder(), 'mail')
  const transport = createFileTransport({ ...SETTINGS, folder })
  /** Written at so many seconds since 1970; the id. */
  const write = async (mail: Mail, at = 1_000): Promise<string> => {
    await transport.send(mail)
    const id = mail.messageId.split('@')[0]!
    await utimes(path.join(folder, `${id}.eml`), at, at)
    return id
  }
  return { folder, write, mails: new WrittenMails(folder) }
}

const named = (id: string, other: Partial<Mail> = {}): Mail =>
  confirmation({ messageId: `${id}@news.example.com`, ...other })

describe('mails that were written to files', () => {
  it('are decoded, with their links whole', async () => {
    const { folder, write, mails } = await open()
    const title = 'Wöchentliches 漢字 aus Überlingen: ein Titel, der über viele Zeilen der Kopfzeile geht = gut'
    const sender = { name: 'Grüße, "Redaktion"', address: 'news@example.com' }
    const id = await write(confirmation({ feed: feed({ title, sender }), locale: 'de' }), 1_234)
    const found = await mails.find(id)
    expect(found).toMatchObject({
      id,
      file: path.join(folder, `${id}.eml`),
      at: 1_234_000,
      to: 'brian.smith@example.com',
      subject: `Bitte bestätigen: ${title}`,
      links: [
        { name: 'confirm', url: LINKS.confirm },
        { name: 'refuse', url: LINKS.refuse },
        { name: 'unsubscribe', url: LINKS.unsubscribe },
      ],
    })
    expect(found?.from).toContain('Grüße')
    expect(found?.from).toContain('<news@example.com>')
    expect(found?.text.split('\n')).toContain(LINKS.confirm)
    expect(found?.text).toContain(`„${title}“`)
    expect(found?.html).toContain(`href="${LINKS.confirm}"`)
  })

  it.each(['=?utf-8?q?evil?= x', 'x =3D y', 'a=\nb', '=?UTF-8?B?ZXZpbA==?='])(
    'shows the title %j as it is',
    async (title) => {
      const { write, mails } = await open()
      const id = await write(confirmation({ feed: feed({ title }) }))
      expect((await mails.find(id))?.subject).toBe(`Please confirm: ${title.replace('\n', ' ')}`)
    },
  )

  it('are found by the name of the file, too; each kind has its own links', async () => {
    const { write, mails } = await open()
    const id = await write(preferences())
    const links = [
      { name: 'preferences', url: PREFERENCES },
      { name: 'unsubscribe', url: LINKS.unsubscribe },
    ]
    expect((await mails.find(`${id}.eml`))?.links).toEqual(links)
    const linksOf = async (mail: Mail) => (await mails.find(await write(mail)))?.links
    expect(await linksOf(move())).toContainEqual({ name: 'move', url: MOVE })
    expect(await linksOf(moved())).toContainEqual({ name: 'undo', url: UNDO })
  })

  it('are listed oldest first, and nothing else that is in the folder', async () => {
    const { folder, write, mails } = await open()
    const ids = [await write(named('b.02'), 3), await write(named('a.01'), 1), await write(named('c.03'), 2)]
    await writeFile(path.join(folder, 'notes.txt'), 'mine')
    await writeFile(path.join(folder, '.0123-0.tmp'), 'a draft')
    expect(await mails.ids()).toEqual([ids[1], ids[2], ids[0]])
  })

  it('are none where there is no folder, and no name leads out of it', async () => {
    const { folder, write, mails } = await open()
    expect([await mails.ids(), await mails.find('a.01')]).toEqual([[], undefined])
    await write(named('a.01'))
    await writeFile(path.join(folder, '../b.02.eml'), 'outside')
    for (const id of ['../b.02', 'b.02', '.database', 'a.01/../a.01', '']) expect(await mails.find(id)).toBeUndefined()
  })

  it('are plain files, written at a whole millisecond', async () => {
    const { folder, write, mails } = await open()
    const id = await write(confirmation(), 1_234.567_89)
    expect((await mails.find(id))?.at).toBe(1_234_567)
    await mkdir(path.join(folder, 'zz4.folder.eml'))
    expect(await mails.find('zz4.folder')).toBeUndefined()
  })

  it.each([
    ['garbage', (file: string) => writeFile(file, Buffer.from([0xff, 0, 0x0d, 0x0a, 0x0d, 0x0a, 0xc3]))],
    ['a mail of another program', (file: string) => writeFile(file, 'Subject: hello\r\n\r\nnot ours')],
    [
      'a part of a mail',
      async (file: string, own: string) => writeFile(file, (await readFile(own)).subarray(0, 1_500)),
    ],
    ['a link to a mail', (file: string, own: string) => symlink(own, file)],
    ['a link to nothing', (file: string) => symlink('/nowhere', file)],
    [
      'a mail with 17 MiB behind it',
      async (file: string, own: string) => writeFile(file, `${await readFile(own)}${'x'.repeat(17 * 1024 ** 2)}`),
    ],
  ])('cannot be something else under the name of a mail: %s', async (_what, make) => {
    const { folder, write, mails } = await open()
    await write(named('a.01'))
    await make(path.join(folder, 'b.02.eml'), path.join(folder, 'a.01.eml'))
    expect(await mails.ids()).toEqual(['a.01', 'b.02'])
    const refusal = {
      name: 'NotAMail',
      message: expect.stringContaining('b.02.eml is not a mail that this service wrote'),
    }
    await expect(mails.find('b.02')).rejects.toMatchObject(refusal)
    expect(await mails.find('a.01')).toMatchObject({ id: 'a.01' })
  })

  it('are not readable where a file stands in place of their folder', async () => {
    const { folder, mails } = await open()
    await writeFile(folder, '')
    const refusal = { name: 'MailNotReadable', message: expect.stringContaining(`${folder}`) }
    await expect(mails.ids()).rejects.toMatchObject(refusal)
    await expect(mails.find('a.01')).rejects.toMatchObject(refusal)
  })
})
