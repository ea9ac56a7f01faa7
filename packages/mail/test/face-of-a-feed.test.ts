import { readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { type FeedFace, type FeedLogo, type Mail, previewMail } from '@rollcall/core'
import { contrast } from '@rollcall/platform-node'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { composeMail } from '../src/compose-mail.ts'
import { createFileTransport, createMailPreviews } from '../src/index.ts'
import { mailOrigin } from '../src/mail-settings.ts'
import { MailTemplates } from '../src/mail-templates.ts'
import { parseMail } from '../src/parse-mail.ts'
import {
  alreadySubscribed,
  confirmation,
  feed,
  move,
  moved,
  preferences,
  SETTINGS,
  temporaryFolder,
  welcome,
} from './mails.ts'

const templates = new MailTemplates(undefined)
const origin = mailOrigin(SETTINGS.from, SETTINGS.publicUrl)

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}
const pngOf = (width: number, height: number): FeedLogo => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(300))
  const parts = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
  return { type: 'image/png', content: bytes.toString('base64') }
}
const PNG = pngOf(400, 100)
const SVG: FeedLogo = { type: 'image/svg+xml', content: Buffer.from('<svg/>').toString('base64') }

const composed = (mail: Mail) => composeMail(mail, origin, templates).bytes
const read = async (mail: Mail) => await new PostalMime().parse(composed(mail))
const faced = (face: FeedFace, other: Partial<Mail> = {}) => confirmation({ feed: feed({ face }), ...other })

describe('the logo of a feed', () => {
  it('is a part of each mail, and loaded from nowhere', async () => {
    for (const mail of [confirmation(), alreadySubscribed(), welcome(), preferences(), move(), moved()]) {
      const { attachments, html = '', text = '' } = await read({ ...mail, logo: PNG })
      expect(attachments).toMatchObject([{ mimeType: 'image/png', disposition: 'inline', related: true }])
      expect(Buffer.from(attachments[0]?.content as ArrayBuffer).toString('base64')).toBe(PNG.content)
      const cid = attachments[0]?.contentId?.slice(1, -1) ?? ''
      expect(html).toContain(`<img class="logo" src="cid:${cid}" width="192" height="48" alt="Weekly news"`)
      expect(html).not.toMatch(/src="(?!cid:)/)
      expect(text).toContain('-- \nWeekly news · news.example.com')
    }
  })

  it('leaves the message the same when it is tried again, and as readable as any', async () => {
    const mail = faced({}, { logo: PNG })
    const withoutDate = (bytes: Buffer) => bytes.toString().replace(/^Date: .*$/m, '')
    expect(withoutDate(composed(mail))).toBe(withoutDate(composed(mail)))
    const [without, with_] = await Promise.all(
      [composed(confirmation()), composed(mail)].map((bytes) => parseMail(bytes.toString('latin1'))),
    )
    expect(with_).toMatchObject({ subject: without?.subject, text: without?.text, links: without?.links })
    expect(with_?.html).toContain('cid:logo.')
    for (const line of composed(mail).toString().split('\r\n')) expect(line.length).toBeLessThan(200)
  })

  it.each([
    [400, 100, 192, 48],
    [1_000, 100, 240, 24],
    [20, 20, 20, 20],
    [2_000, 1, 240, 1],
  ])('of %i by %i is shown as %i by %i', async (width, height, shownWidth, shownHeight) => {
    const { html } = await read(faced({}, { logo: pngOf(width, height) }))
    expect(html).toContain(`width="${shownWidth}" height="${shownHeight}"`)
  })

  it('is in no mail as an SVG, which few programs show', async () => {
    const { attachments, html } = await read(faced({}, { logo: SVG }))
    expect(attachments).toEqual([])
    expect(html).not.toContain('<img')
  })
})

describe('the accent of a feed', () => {
  it.each(['#ffcc00', '#1a1a1a', '#ffffff', '#7f7f7f', '#d0021b'])('%s stays legible', async (accent) => {
    const { html = '' } = await read(faced({ accent }))
    const [, ground = '', text = ''] =
      /background-color:(#\w+);mso-padding[\s\S]*?color:(#\w+);text-decoration/.exec(html) ?? []
    expect(ground).toBe(accent)
    expect(contrast(ground, text)).toBeGreaterThanOrEqual(4.5)
    const links = [...html.matchAll(/class="link" style="color:(#\w+)/g)].map(([, colour = '']) =>
      contrast(colour, '#ffffff'),
    )
    expect(Math.min(...links)).toBeGreaterThanOrEqual(4.5)
    const [, dark = ''] = /\.link \{ color: (#\w+)/.exec(html) ?? []
    expect(contrast(dark, '#20252c')).toBeGreaterThanOrEqual(4.5)
  })
})

describe('the footer of a feed', () => {
  it('stands below every mail, as lines, in whatever language there is', async () => {
    const face = { footer: { de: 'Beispiel GmbH\n<b>Weg 1</b>', fr: 'Exemple SA' } }
    for (const mail of [confirmation(), alreadySubscribed(), welcome(), preferences(), move(), moved()]) {
      const { html = '', text = '' } = await read({ ...mail, feed: feed({ face }) })
      expect(text).toMatch(/-- \nWeekly news · news\.example\.com\nBeispiel GmbH\n<b>Weg 1<\/b>\s*$/)
      expect(html).toContain(
        '<p lang="de" dir="auto" style="margin:8px 0 0;">Beispiel GmbH<br>&lt;b&gt;Weg 1&lt;/b&gt;<br></p>',
      )
      expect((await read({ ...mail, feed: feed({ face }), locale: 'fr' })).text).toContain('Exemple SA')
    }
  })
})

describe('the words of a feed', () => {
  const words = {
    en: {
      greeting: 'Dear reader,',
      confirmation_subject: 'One more step',
      confirmation_text: 'Nice & <b>good</b>.\n\n{{host}}',
    },
    de: { welcome_subject: 'Schön, dass Sie da sind', welcome_text: 'Bis bald.' },
  }

  it('stand in the mail in their language, beside what it is about', async () => {
    const { subject, html = '', text = '' } = await read(faced({ words }))
    expect(subject).toBe('One more step')
    expect(text).toMatch(
      /^Dear reader,\n\nSomeone, probably you, asked.*\n\nNice & <b>good<\/b>\.\n\n\{\{host\}\}\n\nIs that right/,
    )
    expect(html).toContain('>Nice &amp; &lt;b&gt;good&lt;/b&gt;.</p>')
    expect(html).toContain(
      '<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:bold;">One more step</h1>',
    )
    expect(html).not.toContain('Hello')
  })

  it('stand in no mail in another language', async () => {
    const { subject, text } = await read(faced({ words }, { locale: 'fr' }))
    expect(subject).toBe('Merci de confirmer\u00a0: Weekly news')
    expect(text).toMatch(/^Bonjour,\n\nQuelqu’un/)
  })

  it('welcome', async () => {
    const { subject, text, headers } = await read(welcome({ feed: feed({ face: { words } }), locale: 'de' }))
    expect(subject).toBe('Schön, dass Sie da sind')
    expect(text).toMatch(/^Guten Tag,\n\nIhre Anmeldung .* ist bestätigt\.\n\nBis bald\.\n\nKein Interesse mehr\?/)
    expect(headers.map(({ key }) => key)).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']))
  })

  it('are not those of mails about several feeds, but for the greeting', async () => {
    const feeds = [feed({ face: { words } }), feed({ title: 'Other' })]
    const { subject, text } = await read(faced({ words }, { feeds }))
    expect(subject).not.toBe('One more step')
    expect(text).toMatch(/^Dear reader,/)
    expect(text).toContain('-- \nWeekly news, Other · news.example.com')
  })
})

describe('when the links expire', () => {
  const expiresAt = Date.UTC(2026, 11, 5, 10, 15)
  it.each([
    ['en', 'The link is good until December 5, 2026 at 10:15 AM UTC.'],
    ['de', 'Der Link gilt bis zum 5. Dezember 2026 um 10:15 UTC.'],
    ['fr', 'Ce lien est valable jusqu’au 5 décembre 2026 à 10:15 UTC.'],
    ['es', 'El enlace es válido hasta el 5 de diciembre de 2026 a las 10:15 UTC.'],
  ])('is said in %s', async (locale, sentence) => {
    for (const mail of [confirmation, move, moved]) {
      const { text = '', html = '' } = await read(mail({ locale, expiresAt }))
      const plain = (part: string) => part.replace(/[\u00a0\u202f]/g, ' ')
      expect(plain(text)).toContain(sentence)
      expect(plain(html)).toContain(sentence)
    }
    expect((await read(confirmation({ locale }))).text).not.toContain('UTC')
  })
})

it('sweeps up a preview that was sent to a folder after a day; it says nothing about whose mails are there', async () => {
  const folder = await temporaryFolder()
  const transport = createFileTransport({ folder, ...SETTINGS })
  await transport.send(confirmation({ messageId: '0.0123456789abcdef01234567@news.example.com' }))
  expect(await transport.ownership(async () => false)).toBe('empty')
  expect(await transport.sweep(async () => true)).toBe(0)
  const [name = ''] = await readdir(folder)
  expect(name).toBe('0.0123456789abcdef01234567.eml')
  const before = new Date(Date.now() - 86_460_000)
  await utimes(path.join(folder, name), before, before)
  expect(await transport.sweep(async () => true)).toBe(1)
  expect(await readdir(folder)).toEqual([])
})

it('previews each mail with its logo in it, and with links that lead nowhere', async () => {
  const { mail } = createMailPreviews({ publicUrl: SETTINGS.publicUrl })
  for (const kind of ['confirmation', 'reminder', 'already-subscribed', 'welcome'] as const) {
    const { html, text } = await mail(feed({ face: { logo: 'image/png' } }), 'en', kind, PNG)
    expect(html).toContain(`src="data:image/png;base64,${PNG.content}"`)
    expect([...text.matchAll(/https:\S+/g)].every(([url]) => url.endsWith('/preview'))).toBe(true)
  }
  const preview = {
    feed: feed(),
    logo: undefined,
    kind: 'welcome',
    language: 'de',
    publicUrl: 'https://x.example',
  } as const
  expect(previewMail({ ...preview, expiresAt: 0 }).links.confirm).toBeUndefined()
})
