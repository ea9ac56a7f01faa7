import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { languagesOf } from '../src/mail-language.ts'
import { MailSettingsNotUsable } from '../src/mail-settings.ts'
import { MailTemplates } from '../src/mail-templates.ts'
import type { MailView, TemplateName } from '../src/mail-view.ts'
import { feed, LINKS, MOVE, PREFERENCES, temporaryFolder, UNDO } from './mails.ts'

const VIEW: MailView = {
  feed: { name: 'default', title: 'News & <more>', description: '' },
  host: 'news.example.com',
  links: { ...LINKS, preferences: PREFERENCES, move: MOVE, undo: UNDO },
  wording: undefined,
  feeds: [
    { title: 'News & <more>', wording: undefined },
    { title: 'Offers', wording: undefined },
  ],
}
/** Below every text, also of a deployer. */
const SIGNATURE = '\r\n-- \r\nNews & <more>, Offers · news.example.com\r\n'
const LINKS_IN = {
  confirmation: [LINKS.confirm, LINKS.refuse],
  reminder: [LINKS.confirm, LINKS.refuse],
  'already-subscribed': [LINKS.unsubscribe],
  welcome: [LINKS.unsubscribe],
  preferences: [PREFERENCES],
  move: [MOVE],
  moved: [UNDO],
  'several-confirmation': [LINKS.confirm, LINKS.refuse],
  'several-reminder': [LINKS.confirm, LINKS.refuse],
  'several-already-subscribed': [PREFERENCES],
} as const satisfies Record<TemplateName, readonly string[]>
/** To confirm, and so to agree. */
const ASKING: readonly TemplateName[] = ['confirmation', 'reminder', 'several-confirmation', 'several-reminder']
const KINDS = Object.keys(LINKS_IN) as readonly TemplateName[]
const LANGUAGES = ['en', 'de', 'fr', 'es']

/** Of a mail to a reader who asked for the first, about a feed in the second. */
const languageOf = (templates: MailTemplates, [locale, language]: readonly (string | undefined)[]) =>
  /<html lang="([^"]+)"/.exec(
    templates.find('confirmation', languagesOf({ locale, feed: feed({ language }) }))(VIEW).html,
  )?.[1]

/** A folder of a deployer with these files in it. */
const deployed = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), content)
  }
  return folder
}

const CONFIRMATION_TXT = 'Subject: Hi\n\n{{links.confirm}} {{links.refuse}} {{feed.title}}\n'
const CONFIRMATION_HTML = '<p>own {{links.confirm}} {{links.refuse}} {{feed.title}}</p>'

describe.each(LANGUAGES.flatMap((language) => KINDS.map((kind) => [language, kind] as const)))(
  'in %s, the mail %s',
  (language, kind) => {
    const { subject, text, html } = new MailTemplates(undefined).find(kind, [language])(VIEW)

    it('has in its subject what it is about, and nothing left to fill in', () => {
      const several = kind.startsWith('several-')
      expect(subject).toMatch(several ? /^\S.* news\.example\.com$/ : /^\S.*News & <more>$/)
      expect(`${subject}${text}${html}`).not.toMatch(/\{\{|\}\}|undefined|\[object/)
    })

    it('has its links in both parts: bare on lines of their own in the text, and behind words in HTML', () => {
      const links = LINKS_IN[kind]
      for (const link of links) {
        expect(text.split('\r\n')).toContain(link)
        expect(html).toContain(`href="${link}"`)
      }
      expect(html.replace(/<style>.*<\/style>|<[^>]*>/gs, '')).not.toContain('://')
      expect(html.match(/class="button"/g) ?? []).toHaveLength(kind === 'welcome' ? 0 : 1)
    })

    it('names the service, and the feed that it is about, escaped in HTML and plain in the text', () => {
      expect(text).toContain('news.example.com')
      expect(html).not.toContain('<more>')
      expect(text).toContain('News & <more>')
      expect(html).toContain('News &amp; &lt;more&gt;')
    })

    it('is written in its language, loads nothing from anywhere and runs nothing', () => {
      expect(html).toContain(`<html lang="${language}">`)
      expect(html).not.toMatch(/<script|<img|<link|@import|url\(|src=|<form|<input/i)
      const english = new MailTemplates(undefined).find(kind, ['en'])(VIEW)
      if (language !== 'en') expect(text).not.toBe(english.text)
    })

    it('names all feeds of a mail about several, each with what it words by itself where one is to agree', () => {
      if (!kind.startsWith('several-')) return
      for (const part of [text, html]) expect(part).toContain('Offers')
      const [first] = VIEW.feeds
      const feeds = [{ title: first?.title ?? '', wording: { lines: ['I agree & <more>.'] } }, ...VIEW.feeds.slice(1)]
      const worded = new MailTemplates(undefined).find(kind, [language])({ ...VIEW, feeds })
      expect(worded.text.includes('  I agree & <more>.\r\n')).toBe(ASKING.includes(kind))
      expect(worded.html.includes('>I agree &amp; &lt;more&gt;.</p>')).toBe(ASKING.includes(kind))
      expect(worded.text.indexOf('I agree')).toBeLessThan(worded.text.indexOf('Offers'))
    })

    it('asks for what the feed words by itself, and for that alone, where one is to agree', () => {
      const lines = ['I want <b>this</b> & that.', 'Zweite Zeile {{host}}']
      const worded = new MailTemplates(undefined).find(kind, [language])({ ...VIEW, wording: { lines } })
      if (!ASKING.includes(kind) || kind.startsWith('several-')) {
        expect(worded).toEqual({ subject, text, html })
        return
      }
      expect(worded.text).toContain(`\r\n\r\n${lines.join('\r\n\r\n')}\r\n\r\n`)
      expect(worded.html).toContain('>I want &lt;b&gt;this&lt;/b&gt; &amp; that.</p>')
      expect(worded.html).toContain('>Zweite Zeile {{host}}</p>')
      expect(worded.text.split('\r\n')).toEqual(expect.arrayContaining(text.split('\r\n')))
      for (const part of [text, worded.text]) expect(part).not.toMatch(/\r\n\r\n\r\n/)
    })

    it('can be read in the dark', () => {
      expect(html).toContain('<meta name="color-scheme" content="light dark">')
      expect(html).toContain('prefers-color-scheme: dark')
    })
  },
)

describe('the language of a mail', () => {
  const templates = new MailTemplates(undefined)

  it.each([
    [['de', undefined], 'de'],
    [['de-CH', undefined], 'de'],
    [['DE-ch-1996', 'fr'], 'de'],
    [['fr-CA-x-private', undefined], 'fr'],
    [['es-419', 'de'], 'es'],
    [['ja', 'fr'], 'fr'],
    [['ja-JP', 'fr-BE'], 'fr'],
    [[undefined, 'es'], 'es'],
    [['ja', 'ko'], 'en'],
    [[undefined, undefined], 'en'],
    [['dex', undefined], 'en'],
    [['d', undefined], 'en'],
    [['../de', undefined], 'en'],
    [['__proto__', 'constructor'], 'en'],
    [['', ''], 'en'],
  ])('for %j is %s: the reader first, then the feed, then English', (languages, expected) => {
    expect(languageOf(templates, languages)).toBe(expected)
  })
})

describe("a deployer's templates", () => {
  it('replace the built-in ones file by file', async () => {
    const templates = new MailTemplates(await deployed({ 'de/confirmation.txt': CONFIRMATION_TXT }))
    const { subject, text, html } = templates.find('confirmation', ['de'])(VIEW)
    expect(subject).toBe('Hi')
    expect(text).toBe(`${LINKS.confirm} ${LINKS.refuse} News & <more>\r\n${SIGNATURE}`)
    expect(html).toContain('Guten Tag')
    expect(templates.find('already-subscribed', ['de'])(VIEW).text).toContain('Guten Tag')
    expect(templates.find('confirmation', ['fr'])(VIEW).text).toContain('Bonjour')
  })

  it('add languages, each for the mails that it has', async () => {
    const files = { 'pt-BR/confirmation.txt': CONFIRMATION_TXT, 'pt-BR/confirmation.html': CONFIRMATION_HTML }
    const templates = new MailTemplates(await deployed(files))
    expect(languageOf(templates, ['pt-br'])).toBe('pt-BR')
    expect(languageOf(templates, ['pt', 'de'])).toBe('de')
    expect(templates.find('already-subscribed', ['pt-BR', 'fr'])(VIEW).text).toContain('Bonjour')
  })

  it('can put another page around every mail', async () => {
    const templates = new MailTemplates(
      await deployed({ 'layout.html': '<html lang="{{language}}">ACME {{subject}} {{{content}}}</html>' }),
    )
    const { html } = templates.find('confirmation', ['fr'])(VIEW)
    expect(html).toMatch(/^<html lang="fr">ACME Merci de confirmer.: News &amp; &lt;more&gt; <div style/)
  })

  it('are read once', async () => {
    const folder = await deployed({ 'de/confirmation.txt': CONFIRMATION_TXT })
    const templates = new MailTemplates(folder)
    const first = templates.find('confirmation', ['de'])
    await rm(folder, { recursive: true })
    expect(templates.find('confirmation', languagesOf({ locale: 'de-AT', feed: feed() }))).toBe(first)
  })

  it('may come with a byte order mark and in lines of Windows', async () => {
    const file = `\uFEFFSubject: Grüße  \r\n\r\n{{links.confirm}}\r\n{{links.refuse}}\r\n`
    const { subject, text } = new MailTemplates(await deployed({ 'de/confirmation.txt': file })).find('confirmation', [
      'de',
    ])(VIEW)
    expect(subject).toBe('Grüße')
    expect(text).toBe(`${LINKS.confirm}\r\n${LINKS.refuse}\r\n${SIGNATURE}`)
  })

  it.each([
    [
      'have no subject',
      { 'de/confirmation.txt': '{{links.confirm}} {{links.refuse}}' },
      "must begin with a line 'Subject: ...'",
    ],
    ['do not parse', { 'de/confirmation.html': '{{#links}}' }, 'confirmation.html is broken: Unclosed section'],
    ['forget to confirm', { 'de/confirmation.html': '{{links.refuse}}' }, '{{links.confirm}}'],
    ['forget to refuse', { 'de/confirmation.txt': 'Subject: x\n\n{{links.confirm}}' }, '{{links.refuse}}'],
    ['forget to unsubscribe', { 'en/already-subscribed.html': 'x' }, '{{links.unsubscribe}}'],
    [
      'lack the HTML part',
      { 'it/confirmation.txt': CONFIRMATION_TXT },
      'must have both confirmation.txt and confirmation.html',
    ],
    [
      'lack the text part',
      { 'it/confirmation.html': CONFIRMATION_HTML },
      'must have both confirmation.txt and confirmation.html',
    ],
    ['have a folder for a file', { 'de/confirmation.txt/x': '' }, 'cannot be read'],
  ])('that %s are refused at once, and named', async (_what, files, message) => {
    const folder = await deployed(files as unknown as Record<string, string>)
    expect(() => new MailTemplates(folder)).toThrow(MailSettingsNotUsable)
    expect(() => new MailTemplates(folder)).toThrow(message)
  })

  it('that are not there are refused at once', () => {
    expect(() => new MailTemplates('/nonexistent/templates')).toThrow('/nonexistent/templates cannot be read')
  })
})
