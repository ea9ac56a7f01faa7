import type { MailKind, MailLinks } from '@rollcall/core'
import Mustache from 'mustache'
import { MailSettingsNotUsable } from './mail-settings-not-usable.ts'

/** Everything that a template may fill in. */
export interface MailView {
  readonly feed: { readonly name: string; readonly title: string; readonly description: string }
  /** The service as people know it. */
  readonly host: string
  readonly links: MailLinks
  /** What the reader is asked to agree to, where the feed has a wording of its own: its lines, none of them empty. */
  readonly wording: { readonly lines: readonly string[] } | undefined
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** One mail in one language. */
export type MailTemplate = (view: MailView) => RenderedMail

export interface TemplateFile {
  readonly file: string
  readonly source: string
}

const SUBJECT = /^\uFEFF?Subject: (.+?)[ \t]*\r?\n(?:\r?\n)?/

/**
 * Puts a mail together from its files: text with the subject in its first line, HTML, and the page around the HTML.
 * @throws {MailSettingsNotUsable} a file is broken, or lacks a link that this kind of mail must have
 */
export const mailTemplate = (
  kind: MailKind,
  language: string,
  files: { readonly text: TemplateFile; readonly html: TemplateFile; readonly layout: TemplateFile },
): MailTemplate => {
  const first = SUBJECT.exec(files.text.source)
  if (!first)
    throw new MailSettingsNotUsable(`The mail template ${files.text.file} must begin with a line 'Subject: ...'.`)
  const subject = textTemplate(first[1] ?? '', files.text.file)
  const text = textTemplate(files.text.source.slice(first[0].length), files.text.file)
  const html = htmlTemplate(files.html.source, files.html.file)
  const layout = htmlTemplate(files.layout.source, files.layout.file)
  for (const [part, { file }] of [
    [text, files.text],
    [html, files.html],
  ] as const) {
    requireLinks(kind, part, file)
  }
  return (view) => {
    const page = { ...view, language, subject: subject(view).trim() }
    return {
      subject: page.subject,
      text: text(page),
      html: layout({ ...page, content: html(page) }),
    }
  }
}

/** The links that each kind of mail must have. */
export const REQUIRED_LINKS = {
  confirmation: ['confirm', 'refuse'],
  'already-subscribed': ['unsubscribe'],
  preferences: ['preferences'],
} as const satisfies Record<MailKind, readonly (keyof MailLinks)[]>

// Without its link a mail is worse than none; better to hear of it now than from the people who got it.
const requireLinks = (kind: MailKind, part: Template, file: string): void => {
  const rendered = part(PROBE)
  for (const link of REQUIRED_LINKS[kind]) {
    if (!rendered.includes(PROBE.links[link])) {
      throw new MailSettingsNotUsable(`The mail template ${file} must have the link {{links.${link}}}.`)
    }
  }
}

const PROBE = {
  feed: { name: 'feed', title: 'feed', description: '' },
  host: 'host',
  language: 'en',
  subject: 'subject',
  wording: { lines: ['wording'] },
  links: {
    confirm: 'https://host/confirm',
    refuse: 'https://host/refuse',
    preferences: 'https://host/preferences',
    unsubscribe: 'https://host/unsubscribe',
  },
} as const

/** A file of a template, parsed once and rendered often. */
export type Template = (view: object) => string

/** @throws {MailSettingsNotUsable} the template cannot be parsed; names the file */
export const textTemplate = (source: string, file: string): Template => parsed(source, file, (value) => value)

/** As `textTemplate`, but what is filled in is escaped for HTML. */
export const htmlTemplate = (source: string, file: string): Template => parsed(source, file, escapeHtml)

const parsed = (source: string, file: string, escaped: (value: string) => string): Template => {
  const writer = new Mustache.Writer()
  const tokens = parse(writer, withCrlf(source), file)
  return (view) =>
    writer.renderTokens(tokens, new Mustache.Context(view), undefined, source, {
      escape: (value: unknown) => escaped(String(value)),
    })
}

const parse = (writer: Mustache.Writer, source: string, file: string): string[][] => {
  try {
    return writer.parse(source)
  } catch (error) {
    throw new MailSettingsNotUsable(`The mail template ${file} is broken: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

// Mails have no other line ends. Here once, not in every mail: what is filled in has none.
const withCrlf = (source: string): string => source.replace(/\r\n?|\n/g, '\r\n')

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Fewer than Mustache would: a link stays readable, and attributes are quoted.
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
