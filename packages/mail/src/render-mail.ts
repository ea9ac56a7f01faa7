import { currentWording, type FeedLogo, logoUrl, type Mail } from '@rollcall/core'
import { languagesOf } from './mail-language.ts'
import type { MailOrigin } from './mail-settings.ts'
import { type MailTemplates, templateOf } from './mail-templates.ts'
import type { MailView } from './mail-view.ts'

// Spaces as well: a header that is folded between many of them would have a line of nothing else.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its job
const BLANK = /[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** The words of a mail in its reader's language, with the address of the picture in it, if it has one. */
export const renderMail = (
  mail: Mail,
  { host }: Pick<MailOrigin, 'host'>,
  templates: MailTemplates,
  logo?: MailView['logo'],
) => {
  const { feed, feeds = [], links, expiresAt } = mail
  const template = templates.find(templateOf(mail), languagesOf(mail))
  return template({
    feed: { ...feed, title: oneLine(feed.title), description: oneLine(feed.description) },
    host,
    links,
    wording: wordingOf(feed),
    face: feed.face,
    logo,
    expiresAt,
    feeds: feeds.map((one) => ({ title: oneLine(one.title), wording: wordingOf(one) })),
  })
}

const HIGHEST = 48
const WIDEST = 240

/** The logo as mail programs show it; an SVG is shown by few of them, so such a logo is in no mail. */
export const pictureOf = (logo: FeedLogo | undefined) => {
  if (logo?.type !== 'image/png') return undefined
  // The first part of every PNG is its header, which begins with both.
  const head = Buffer.from(logo.content.slice(0, 32), 'base64')
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)]
  const scale = Math.min(1, HIGHEST / height, WIDEST / width)
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { content: logo.content, width: scaled(width), height: scaled(height) }
}

/** The same as a page: the picture is in it. */
export const showMail = (mail: Mail, origin: Pick<MailOrigin, 'host'>, templates: MailTemplates) => {
  const { logo } = mail
  const picture = pictureOf(logo)
  return renderMail(mail, origin, templates, logo && picture && { ...picture, src: logoUrl(logo) })
}

export const oneLine = (text: string): string => text.replace(BLANK, ' ').trim()

const wordingOf = (feed: Mail['feed']): MailView['wording'] => {
  const lines = currentWording(feed)?.text.split(LINE_ENDS).map(oneLine).filter(Boolean) ?? []
  return lines.length > 0 ? { lines } : undefined
}
