import { footerIn, type Instant, type WordName, wordsIn } from '@rollcall/core'
import { coloursWith } from './mail-colours.ts'
import type { MailView, TemplateName } from './mail-view.ts'

/** The words of each kind of mail, if it has any beside the greeting. */
const WORDS_OF: Readonly<Partial<Record<TemplateName, { readonly subject: WordName; readonly said: WordName }>>> = {
  confirmation: { subject: 'confirmation_subject', said: 'confirmation_text' },
  welcome: { subject: 'welcome_subject', said: 'welcome_text' },
}

/** What the face of a feed fills in. */
export const filledFace = (
  kind: TemplateName,
  { face = {}, feed, feeds, host, expiresAt }: MailView,
  language: string,
) => {
  const words = wordsIn(face, language)
  const own = WORDS_OF[kind]
  const footer = footerIn(face, [language, feed.language])
  const titles = feeds.length > 1 ? feeds.map(({ title }) => title) : [feed.title]
  return {
    language,
    words,
    colours: coloursWith(face.accent),
    subject: own && words[own.subject],
    said: linesOf((own && words[own.said]) ?? ''),
    expires: expiresAt === undefined ? undefined : timeText(expiresAt, language),
    footer: footer && { language: footer.language, lines: linesOf(footer.text) },
    signature: `${titles.join(', ')} · ${host}`,
  }
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Below a line that mail programs know: what follows is the sender's signature. */
export const signed = ({ signature, footer }: ReturnType<typeof filledFace>): string =>
  ['', '-- ', signature, ...(footer?.lines ?? []), ''].join('\r\n')

const TIME = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
} as const

/** Kept, one for each folder of templates: to make one takes longer than the rest of a mail, and memory that is freed late. */
const formats = new Map<string, Intl.DateTimeFormat>()

const timeText = (at: Instant, language: string): string => {
  const format = formats.get(language) ?? timeFormat(language)
  formats.set(language, format)
  return format.format(at)
}

/** In the language of the mail; in English if its folder has a name that is no language. */
const timeFormat = (language: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat(language, TIME)
  } catch {
    return new Intl.DateTimeFormat('en', TIME)
  }
}
